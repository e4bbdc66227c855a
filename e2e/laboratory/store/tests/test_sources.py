from __future__ import annotations

from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from e2e.laboratory.plan import Place
from e2e.laboratory.store import sources
from e2e.laboratory.store.sources import files_behind

SOURCES = {
    "cc/link.py": "link",
    "models/policies/owl.onnx": "owl",
    "models/tests/test_owl.py": "test",
    "models/README.md": "page",
    "transport/relay.py": "relay",
    "player/src/page.ts": "page",
    "player/src/page.test.ts": "test",
    "requirements.lock": "numpy",
    "e2e/laboratory/runs/attempt.py": "",
    "e2e/laboratory/places/simulation.py": "import numpy\nfrom cc.link import Link\nfrom e2e.laboratory import window",
    "e2e/laboratory/places/emulation.py": "def late():\n    from e2e.laboratory.window import cut",
    "e2e/laboratory/places/relay.py": "",
    "e2e/laboratory/places/mahimahi.py": "",
    "e2e/laboratory/places/browser.py": "",
    "e2e/laboratory/window.py": "from . import request",
    "e2e/laboratory/request.py": "import e2e.laboratory.window",
    "e2e/laboratory/table.py": "",
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
        ("simulation", "e2e/laboratory/window.py", True),
        ("simulation", "e2e/laboratory/request.py", True),
        ("simulation", "e2e/laboratory/places/relay.py", False),
        ("simulation", "e2e/laboratory/table.py", False),
        ("relay", "e2e/laboratory/request.py", True),
        ("relay", "e2e/laboratory/runs/attempt.py", True),
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
    after = hash_of(tmp_path, monkeypatch, place, **{file: SOURCES[file] + " # changed"})
    assert (before != after) is is_made_again


def test_another_mahimahi_makes_other_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hash_of(tmp_path, monkeypatch, "mahimahi", "0.98") != hash_of(tmp_path, monkeypatch, "mahimahi", "0.99")


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("places/simulation", {"plan.py", "decisions.py", "request.py", "matrix/trace_window.py"}),
        ("places/emulation", {"plan.py", "decisions.py", "places/media_server.py", "matrix/trace_window.py"}),
        ("films/worker", {"films/run.py", "films/seen.py", "request.py", "matrix/trace_window.py"}),
        ("films/in_browser/attempt", {"films/in_browser/bundle.py", "places/link_log.py"}),
        ("best_film/find", {"best_film/plan.py", "best_film/outlook.py", "matrix/trace_window.py"}),
    ],
)
def test_what_makes_a_run_or_film_is_found_by_its_imports(module: str, names: set[str]) -> None:
    laboratory = ROOT / "e2e" / "laboratory"
    found = files_behind([laboratory / f"{module}.py"], ROOT, is_known=lambda file: not file.is_relative_to(laboratory))
    named = {file.relative_to(laboratory).as_posix() for file in found}
    assert names <= named
    assert not named & {"films/page.py", "front/lead.py", "report/page.py", "statistics/summary.py"}
    if module == "films/worker":
        assert not any(name.startswith("films/in_browser") for name in named)
