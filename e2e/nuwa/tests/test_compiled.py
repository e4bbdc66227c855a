"""Builds of cc: which sources they belong to, when they are used, and what is said where they are not."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

import cc
from cc.command_line.clone import ROOT
from e2e.nuwa.compiled import build, command, sources, use
from e2e.nuwa.compiled.check import comparison_of

BY_HAND = "nothing at all"

USE = """
import sys
from pathlib import Path
from e2e.nuwa.compiled import use
use.builds_folder = lambda: Path(sys.argv[1])
use.use_build(sys.stderr)
if __name__ == "__main__":
    import cc
    from cc import registry
    from cc.command_line import clone
    from models.executors.processes import make_processes
    with make_processes(1) as processes:
        there = processes.submit(eval, "__import__('cc').COMPILED").result()
    print(cc.COMPILED, there, registry.__file__, clone.__file__, sep="\\n")
"""


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    """One of these sources, in which nothing was compiled."""
    folder = tmp_path / "builds" / sources.build_name()
    for file in sources.source_files(ROOT / "cc"):
        target = folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())
    package = build.PACKAGE.format(compiled=BY_HAND, sources=str(ROOT / "cc"))
    (folder / "cc" / "__init__.py").write_text(package, encoding="utf-8")
    return folder.parent


def used(builds: Path) -> subprocess.CompletedProcess[str]:
    """What a process finds that would use one."""
    return subprocess.run([sys.executable, "-c", USE, builds], cwd=ROOT, capture_output=True, text=True, check=True)


def test_the_build_of_these_sources_is_used_here_and_in_processes_started_from_here(builds: Path) -> None:
    done = used(builds)
    here, there, registry, clone = done.stdout.splitlines()
    assert (here, there, done.stderr) == (BY_HAND, BY_HAND, "")
    assert Path(registry) == next(builds.iterdir()) / "cc" / "registry.py"
    assert Path(clone) == ROOT / "cc" / "command_line" / "clone.py"


def test_a_build_of_other_sources_is_told_of_in_a_sentence_and_left_alone(builds: Path) -> None:
    next(builds.iterdir()).rename(builds / "other")
    done = used(builds)
    assert done.stderr == use.OTHER_SOURCES
    assert done.stdout.splitlines()[:3] == ["None", "None", str(ROOT / "cc" / "registry.py")]


def test_without_a_build_only_a_person_is_told(tmp_path: Path) -> None:
    done = used(tmp_path)
    assert (done.stdout.splitlines()[0], done.stderr) == ("None", "")


def test_classes_that_are_there_already_are_not_mixed_with_a_builds(
    builds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cc.core import base  # noqa: F401, PLC0415 - what simulates has come

    output = io.StringIO()
    monkeypatch.setattr(use, "builds_folder", lambda: builds)
    use.use_build(output)
    assert (cc.COMPILED, output.getvalue()) == (None, "")


def test_a_builds_name_tells_its_sources(tmp_path: Path) -> None:
    module, test = tmp_path / "core" / "pacer.py", tmp_path / "core" / "tests" / "test_pacer.py"
    for file in (module, test):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("A = 1\n", encoding="utf-8")
    first = sources.build_name(tmp_path)
    test.write_text("A = 2\n", encoding="utf-8")
    assert sources.build_name(tmp_path) == first
    module.write_text("A = 2\n", encoding="utf-8")
    assert sources.build_name(tmp_path) != first


def test_mypyc_gets_no_slots_and_no_protocols_that_are_asked() -> None:
    text = (
        "@dataclass(frozen=True, slots=True)\nclass A:\n    b: int\n\n\n@dataclass(slots=True)\nclass C:\n    d: int\n"
    )
    assert sources.for_mypyc(text) == text.replace(", slots=True", "").replace("(slots=True)", "")
    assert sources.is_compiled(text)
    assert not sources.is_compiled((ROOT / "cc" / "core" / "path_record.py").read_text(encoding="utf-8"))


def test_mypyc_is_told_which_numbers_never_change_and_what_has_no_cycles() -> None:
    text = f"{sources.FUTURE}\nA = 1.5\nB = 2\nC = (1, 2)\n\n\nclass Ack:\n    def f(self, b: int = B) -> None: ...\n"
    given = sources.for_mypyc(text).removeprefix(sources.FUTURE + sources.TYPES)
    assert given.splitlines()[1:7] == ["A: Final = 1.5", "B = 2", "C = (1, 2)", "", "", "@mypyc_attr(acyclic=True)"]
    known = (ROOT / "cc" / "core" / "base.py").read_text(encoding="utf-8")
    assert sources.for_mypyc(known).count("@mypyc_attr(acyclic=True)") == 4


def test_what_mypyc_says_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "builds_folder", lambda: tmp_path)
    monkeypatch.setattr(build, "SETUP", "import sys; print('fine'); sys.exit('error: command gcc failed')")
    assert command.main([]) == 2
    sentence = "nuwa compile: cc cannot be compiled here: error: command gcc failed"
    assert capsys.readouterr().err == f"{sentence} ({tmp_path / build.LOG} has the rest)\n"
    assert [file.name for file in tmp_path.iterdir()] == [build.LOG]


def test_one_run_that_differs_is_named() -> None:
    interpreted = {"compiled": None, "cpu_s": 6.0, "hashes": {"cubic": "1", "nuwa": "2"}}
    compiled = {"compiled": "mypyc", "cpu_s": 2.0, "hashes": {"cubic": "1", "nuwa": "3"}}
    comparison = comparison_of(compiled, interpreted)
    assert comparison.different == ("nuwa",)
    assert str(comparison) == "mypyc: 2 runs, nuwa; 3.0 times as fast"
