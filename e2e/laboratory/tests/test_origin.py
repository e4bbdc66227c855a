"""What made a measurement."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from e2e.laboratory.origin import commit, has_local_changes, processor, shortened

AUTHOR = ("-c", "user.name=a", "-c", "user.email=a@example.org")
FILES = ("cc/link.py", "cc/tests/test_link.py", "README.md", "e2e/laboratory/figures/measured/a.json")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("first")
    for words in (("init", "-q"), ("add", "-A"), (*AUTHOR, "commit", "-q", "-m", "first")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_changed_sources_are_told_and_changed_pages_are_none(clone: Path) -> None:
    assert not has_local_changes(clone)
    for name in FILES[1:]:
        (clone / name).write_text("second")
    assert not has_local_changes(clone)
    (clone / FILES[0]).write_text("second")
    assert has_local_changes(clone)


def test_without_a_clone_the_commit_is_unknown(tmp_path: Path) -> None:
    assert commit(tmp_path) == "unknown"


def test_a_repository_around_it_is_somebody_elses(clone: Path) -> None:
    installed = clone / "cc"
    assert commit(clone) != "unknown"
    assert commit(installed) == "unknown"
    (clone / FILES[0]).write_text("second")
    assert not has_local_changes(installed)


def test_a_commit_says_what_it_lacks() -> None:
    assert shortened("fee32628ecca", has_local_changes=False) == "fee3262"
    assert shortened("fee32628ecca", has_local_changes=True) == "fee3262 with local changes"


@pytest.mark.skipif(not Path("/proc/cpuinfo").is_file(), reason="needs Linux")
def test_a_processor_is_more_than_an_architecture() -> None:
    named = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    if not named:
        pytest.skip("this Linux names no model")
    assert named[0].endswith(processor())
