"""Only regular files below the folder are served, also those that come later."""

from __future__ import annotations

import argparse
import os
import socket
from pathlib import Path

import pytest

from transport.media_server import film_folder
from transport.media_server.content import FileContent, ServedFolder, UnknownContentError
from transport.media_server.held_files import HeldFiles
from transport.media_server.mounts import mount


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A directory with a film, beside a secret."""
    directory = tmp_path / "film"
    (directory / "nested").mkdir(parents=True)
    (directory / "manifest.mpd").write_bytes(b"<MPD/>")
    (directory / "nested" / "seg-1.m4s").write_bytes(bytes(range(100)))
    (directory / ".hidden").write_bytes(b"secret")
    (tmp_path / "secret").write_bytes(b"secret")
    (directory / "link").symlink_to(tmp_path / "secret")
    (directory / "nested" / "link-to-film").symlink_to(directory)
    (directory / ".git").mkdir()
    (directory / ".git" / "config").write_bytes(b"secret")
    return directory


def test_files_are_served_by_their_relative_path(film: Path) -> None:
    content = ServedFolder(film).open("nested/seg-1.m4s")
    assert (content.length_bytes, content.content_type) == (100, "video/iso.segment")
    assert content.read(90, 50) == bytes(range(90, 100))


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("video/1080p/seg 1.m4s", "video/iso.segment"),
        ("film_dash.mpd", "application/dash+xml"),
        ("tracks/audio.mp4", "video/mp4"),
        ("tracks/video.webm", "video/webm"),
        ("subtitles/\u00e9t\u00e9.vtt", "text/vtt"),
        ("thumbnails/1.jpg", "image/jpeg"),
        ("main.m3u8", "application/vnd.apple.mpegurl"),
        ("VIDEO.MP4", "video/mp4"),
        ("quality.json", "application/json"),
    ],
)
def test_any_packagers_names_and_folders_will_do(tmp_path: Path, name: str, content_type: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"media")
    (tmp_path / "manifest.mpd").touch()
    content = ServedFolder(tmp_path).open(name)
    assert (content.read(0, 100), content.content_type) == (b"media", content_type)


@pytest.mark.parametrize(
    "path",
    [
        "../secret",
        "nested/../../secret",
        "nested/../manifest.mpd",
        "./manifest.mpd",
        "/manifest.mpd",
        "..%2fsecret",
        "%2e%2e/secret",
        "..\\secret",
        "link",
        ".hidden",
        "nested",
        "",
        "nested/",
        "nested//seg-1.m4s",
        "nested/link-to-film/manifest.mpd",
        ".git/config",
        "manifest.mpd\0",
        "\ud800.m4s",
        "//etc/passwd",
        "/proc/self/environ",
        "a" * 65_536,
    ],
)
def test_nothing_else_is(film: Path, path: str) -> None:
    with pytest.raises(UnknownContentError):
        ServedFolder(film).open(path)


@pytest.mark.parametrize("name", ["presentation.json", "nested/letter.txt", "film.mpd.orig", "mpd", "notes"])
def test_what_lies_beside_a_film_is_not_served(film: Path, name: str) -> None:
    (film / name).write_bytes(b"secret")
    with pytest.raises(UnknownContentError):
        ServedFolder(film).open(name)


@pytest.mark.parametrize(("served", "replaced"), [("manifest.mpd",) * 2, ("nested/seg-1.m4s", "nested")])
def test_a_link_in_the_place_of_a_file_or_folder_is_not_followed(film: Path, served: str, replaced: str) -> None:
    folder = ServedFolder(film)
    content = FileContent(film, tuple(served.split("/")), "video/mp4", HeldFiles(0))
    (film / replaced).rename(film.parent / "elsewhere")
    (film / replaced).symlink_to(film.parent / "elsewhere")
    with pytest.raises(UnknownContentError):
        folder.open(served)
    with pytest.raises(FileNotFoundError):
        content.read(0, 100)


def test_a_pipe_in_a_files_place_keeps_nobody_waiting(film: Path) -> None:
    folder = ServedFolder(film)
    (film / "manifest.mpd").unlink()
    os.mkfifo(film / "manifest.mpd")
    with pytest.raises(UnknownContentError):
        folder.open("manifest.mpd")


def test_another_file_in_its_place_is_served(film: Path) -> None:
    folder = ServedFolder(film)
    (film / "new").write_bytes(b"<MPD>another</MPD>")
    (film / "new").replace(film / "manifest.mpd")
    assert folder.open("manifest.mpd").read(0, 100) == b"<MPD>another</MPD>"


def open_files() -> int:
    """Of this process."""
    return len(os.listdir("/proc/self/fd"))


def replace(file: Path, data: bytes) -> None:
    """As packagers do."""
    new = file.parent / ".new"
    new.write_bytes(data)
    new.replace(file)


def test_a_file_is_open_until_its_content_is_closed(film: Path) -> None:
    before = open_files()
    content = ServedFolder(film).open("nested/seg-1.m4s")
    for _ in range(10):
        content.read(0, 10)
    assert open_files() == before + 1
    content.close()
    assert open_files() == before


def test_of_many_files_only_some_stay_open(film: Path) -> None:
    before = open_files()
    held = HeldFiles(3)
    names = [f"{number}.m4s" for number in range(5)]
    for name in names:
        (film / name).write_bytes(bytes(range(100)))
    contents = [FileContent(film, (name,), "video/mp4", held) for name in names]
    for offset in range(10):
        assert [content.read(offset, 1) for content in contents] == [bytes([offset])] * 5
        assert open_files() == before + 3
    for content in contents:
        content.close()
    assert open_files() == before


def test_however_many_read_a_file_it_is_open_once_until_the_last_has_left(film: Path) -> None:
    before = open_files()
    folder = ServedFolder(film)
    contents = [folder.open("nested/seg-1.m4s") for _ in range(1000)]
    assert [content.read(10, 1) for content in contents] == [bytes([10])] * 1000
    assert open_files() == before + 1
    for content in contents[:-1]:
        content.close()
        content.close()
    assert contents[-1].read(20, 1) == bytes([20])
    assert open_files() == before + 1
    contents[-1].close()
    assert open_files() == before


def test_a_file_that_many_read_arrives_as_it_was_and_the_next_beside_it(film: Path) -> None:
    folder = ServedFolder(film)
    old = [folder.open("manifest.mpd") for _ in range(1000)]
    replace(film / "manifest.mpd", b"another, and longer")
    new = [folder.open("manifest.mpd") for _ in range(1000)]
    assert {content.read(0, 100) for content in old} == {b"<MPD/>"}
    assert {content.read(0, 100) for content in new} == {b"another, and longer"}


def test_who_lost_a_file_reads_on_from_what_another_holds(film: Path) -> None:
    before = open_files()
    held = HeldFiles(1)
    first = FileContent(film, ("manifest.mpd",), "application/dash+xml", held)
    between = FileContent(film, ("nested", "seg-1.m4s"), "video/mp4", held)
    second = FileContent(film, ("manifest.mpd",), "application/dash+xml", held)
    replace(film / "manifest.mpd", b"another, and longer")
    second.close()
    assert first.read(0, 3) == b"<MP"
    assert between.read(0, 1) == bytes([0])
    with pytest.raises(OSError, match="replaced, or written to, while it was sent"):
        first.read(3, 3)
    first.close()
    between.close()
    assert open_files() == before


def test_a_file_that_is_replaced_is_read_on_as_it_was(film: Path) -> None:
    content = ServedFolder(film).open("manifest.mpd")
    assert content.read(0, 3) == b"<MP"
    replace(film / "manifest.mpd", b"another, and longer")
    assert content.read(3, 100) == b"D/>"


@pytest.mark.parametrize("data", [b"<MPB/>", b"another, and longer", b""])
def test_a_file_that_could_not_stay_open_is_not_mixed_with_the_next(film: Path, data: bytes) -> None:
    content = FileContent(film, ("manifest.mpd",), "application/dash+xml", HeldFiles(0))
    assert content.read(0, 3) == b"<MP"
    replace(film / "manifest.mpd", data)
    before = open_files()
    with pytest.raises(OSError, match="replaced, or written to, while it was sent"):
        content.read(3, 100)
    assert open_files() == before


def test_a_file_that_has_gone_is_unknown(film: Path) -> None:
    folder = ServedFolder(film)
    (film / "manifest.mpd").unlink()
    with pytest.raises(UnknownContentError):
        folder.open("manifest.mpd")


def test_a_file_cut_short_is_an_error_not_an_endless_read(film: Path) -> None:
    content = ServedFolder(film).open("nested/seg-1.m4s")
    (film / "nested" / "seg-1.m4s").write_bytes(b"short")
    with pytest.raises(EOFError, match="ended at byte 50"):
        content.read(50, 10)


def test_generated_content_is_as_long_as_asked(film: Path) -> None:
    content = ServedFolder(film).open("generated/100000")
    read = 0
    while read < content.length_bytes:
        read += len(content.read(read, 32_768))
    assert read == 100_000


def test_no_directory_is_said_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="nowhere"):
        ServedFolder(tmp_path / "nowhere")


def test_a_file_that_comes_later_is_served(film: Path) -> None:
    folder = ServedFolder(film)
    with pytest.raises(UnknownContentError):
        folder.open("nested/later/seg-2.m4s")
    (film / "nested" / "later").mkdir()
    (film / "nested" / "later" / "seg-2.m4s").write_bytes(b"later")
    assert folder.open("nested/later/seg-2.m4s").read(0, 100) == b"later"


@pytest.mark.parametrize("place", ["", "nested"])
def test_a_link_or_hidden_file_that_comes_later_is_not(film: Path, place: str) -> None:
    folder = ServedFolder(film)
    (film / place / "later.m4s").symlink_to(film.parent / "secret")
    (film / place / "parent").symlink_to(film.parent)
    (film / place / ".later.m4s").write_bytes(b"secret")
    for name in ("later.m4s", "parent/secret", ".later.m4s"):
        with pytest.raises(UnknownContentError):
            folder.open(f"{place}/{name}".lstrip("/"))


def test_a_socket_is_no_file(film: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(film / "s.m4s"))
        with pytest.raises(UnknownContentError):
            ServedFolder(film).open("s.m4s")


def test_a_folder_of_other_things_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(7):
        (tmp_path / f"{number}.log").touch()
    with pytest.raises(film_folder.NoFilmError, match=r"no manifest \(.mpd, .m3u8\) and no segment; give"):
        ServedFolder(tmp_path)
    monkeypatch.setattr(film_folder, "LOOKED_AT", 5)
    with pytest.raises(film_folder.NoFilmError, match="among its first 5 files"):
        ServedFolder(tmp_path)


@pytest.mark.parametrize("name", ["film.MPD", "a/b/seg.m4s"])
def test_a_folder_with_a_manifest_or_media_beside_other_things_is_not(tmp_path: Path, name: str) -> None:
    (tmp_path / "README").touch()
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(b"film")
    assert ServedFolder(tmp_path).open(name).length_bytes == 4


def test_folders_too_deep_for_a_path_keep_no_film_from_being_served(
    film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(film)
    for _ in range(os.pathconf(film, "PC_PATH_MAX") // 200 + 1):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    monkeypatch.undo()
    assert ServedFolder(film).open("manifest.mpd").length_bytes > 0


def test_folders_without_files_may_be_those_of_a_film_that_is_to_come(tmp_path: Path) -> None:
    (tmp_path / "video" / "1080p").mkdir(parents=True)
    folder = ServedFolder(tmp_path)
    (tmp_path / "video" / "1080p" / "1.m4s").write_bytes(b"media")
    assert folder.open("video/1080p/1.m4s").length_bytes == 5


def test_further_folders_are_mounted_below_their_names_and_give_media_only(tmp_path: Path, film: Path) -> None:
    other = tmp_path / "other"
    (other / "sub").mkdir(parents=True)
    for name in ("film.mpd", "sub/seg-1.m4s", "notes.json", "letter.txt", ".seg.m4s"):
        (other / name).write_bytes(b"other")
    (film / "other").mkdir()
    (film / "other" / "film.mpd").write_bytes(b"hidden by the mount")
    folder = ServedFolder(film, [("other", other)])
    for path in ("other/film.mpd", "other/sub/seg-1.m4s"):
        assert folder.open(path).read(0, 100) == b"other"
    assert folder.open("nested/seg-1.m4s").length_bytes == 100
    for path in ("other", "other/notes.json", "other/letter.txt", "other/.seg.m4s", "other/../secret", "none/film.mpd"):
        with pytest.raises(UnknownContentError):
            folder.open(path)


def test_a_mounted_folder_may_be_moved_if_a_link_takes_its_place(tmp_path: Path, film: Path) -> None:
    growing = tmp_path / ".partial"
    growing.mkdir()
    folder = ServedFolder(film, [("grows", growing)])
    (growing / "seg-1.m4s").write_bytes(b"media")
    growing.rename(tmp_path / "whole")
    growing.symlink_to(tmp_path / "whole")
    assert folder.open("grows/seg-1.m4s").read(0, 100) == b"media"


@pytest.mark.parametrize("text", ["", "name", "name=", "=folder", "A=folder", "a/b=folder", "../a=folder"])
def test_a_mount_is_a_plain_name_and_a_folder(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not NAME=FOLDER"):
        mount(text)
    assert mount("a-1=/films/a=b") == ("a-1", Path("/films/a=b"))
