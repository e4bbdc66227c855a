from __future__ import annotations

from pathlib import Path

import pytest

from e2e.laboratory.plan import Place
from e2e.laboratory.store import sources

SOURCES = {
    "cc/link.py": "link",
    "models/policies/owl.onnx": "owl",
    "models/tests/test_owl.py": "test",
    "models/README.md": "page",
    "transport/relay.py": "relay",
    "player/src/page.ts": "page",
    "player/src/page.test.ts": "test",
    "requirements.lock": "numpy",
}


def hash_of(root: Path, monkeypatch: pytest.MonkeyPatch, place: Place, *words: str, **changes: str) -> str:
    for name, text in {**SOURCES, **changes}.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.setattr(sources, "ROOT", root)
    sources.sources_of.cache_clear()
    return sources.sources_of(place, *words)


@pytest.fixture(autouse=True)
def _cache_of_the_clone() -> object:
    yield
    sources.sources_of.cache_clear()


@pytest.mark.parametrize(
    ("place", "file", "is_made_again"),
    [
        ("simulation", "cc/link.py", True),
        ("simulation", "models/policies/owl.onnx", True),
        ("simulation", "requirements.lock", True),
        ("simulation", "models/tests/test_owl.py", False),
        ("simulation", "models/README.md", False),
        ("simulation", "transport/relay.py", False),
        ("relay", "transport/relay.py", True),
        ("relay", "player/src/page.ts", False),
        ("browser", "player/src/page.ts", True),
        ("browser", "player/src/page.test.ts", False),
    ],
)
def test_what_makes_a_run_is_in_its_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Place, file: str, *, is_made_again: bool
) -> None:
    before = hash_of(tmp_path, monkeypatch, place)
    after = hash_of(tmp_path, monkeypatch, place, **{file: "changed"})
    assert (before != after) is is_made_again


def test_another_mahimahi_makes_other_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hash_of(tmp_path, monkeypatch, "mahimahi", "0.98") != hash_of(tmp_path, monkeypatch, "mahimahi", "0.99")


def test_films_in_virtual_time_rest_on_nothing_of_those_in_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashes = []
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    for name in ("films/play.py", "films/in_browser/run.py", "films/seen.py"):
        file = tmp_path / "e2e/laboratory" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
        sources.sources_of_films.cache_clear()
        hashes.append(sources.sources_of_films())
    sources.sources_of_films.cache_clear()
    assert hashes[0] == hashes[1] != hashes[2]
