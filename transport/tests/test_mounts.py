"""What a server says it serves."""

from __future__ import annotations

from pathlib import Path

from transport.media_server.mounts import folders_in_words


def test_an_empty_root_is_not_said_where_all_films_are_mounted(tmp_path: Path) -> None:
    root, film = tmp_path / "nothing", tmp_path / "film"
    root.mkdir()
    assert folders_in_words(root, [("demo", film)]) == f"{film} as demo"
    assert folders_in_words(root, []) == f"{root}"
    (root / "manifest.mpd").write_text("<MPD/>")
    assert folders_in_words(root, [("demo", film)]) == f"{root}, {film} as demo"
