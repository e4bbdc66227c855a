"""Kept figures name commits that are there, and are told apart from newer sources."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from e2e.laboratory.benchmarks import Benchmark, benchmarks
from e2e.laboratory.figures.age import UnknownCommitError, ages, commits_since, folders_of
from e2e.laboratory.figures.measured import Measured, all_measured

AWAITED = {"npm run bench -- cmsd --repeats 1", "npm run bench -- protection-cost"}
"""Measured at commits that no branch holds; they take a quiet machine."""
AUTHOR = ("-c", "user.name=a", "-c", "user.email=a@example.org")


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def commit_of(root: Path, name: str, text: str) -> str:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    git(root, "add", "-A")
    git(root, *AUTHOR, "commit", "-q", "-m", text)
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def first(tmp_path: Path) -> str:
    git(tmp_path, "init", "-q")
    return commit_of(tmp_path, "cc/link.py", "first")


def test_commits_that_change_sources_count(tmp_path: Path, first: str) -> None:
    for name in ("cc/README.md", "cc/sender/tests/test_a.py", "player/src/page.ts"):
        commit_of(tmp_path, name, "of no account")
    assert commits_since(first, ["cc"], tmp_path) == 0
    assert commits_since(first, ["cc", "player/src"], tmp_path) == 1
    commit_of(tmp_path, "cc/sender/cubic.py", "counts")
    assert commits_since(first, ["cc"], tmp_path) == 1


@pytest.mark.parametrize("benchmark", benchmarks(), ids=lambda each: each.name)
def test_every_benchmark_rests_on_folders_that_are_there(benchmark: Benchmark) -> None:
    assert benchmark.rests_on
    assert [folder for folder in benchmark.rests_on if not (ROOT / folder).is_dir()] == []


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        ("npm run bench -- estimates", "e2e/virtual-player"),
        ("npm run bench -- one-loop --jobs 1", "player/src"),
        ("npm run bench -- fidelity", "transport"),
        ("npm run bench -- learned", "transport"),
    ],
)
def test_figures_rest_on_all_that_made_them(command: str, folder: str) -> None:
    assert folder in folders_of(command)


def test_a_command_of_no_benchmark_is_told(tmp_path: Path, first: str) -> None:
    measured = Measured("npm run bench -- gone", first, "2026-11-24T08:00:00Z", "2 cores", ())
    assert ages({measured.command: measured}, tmp_path) == ["npm run bench -- gone: gone is no benchmark"]


def test_a_commit_that_is_not_there_is_told(tmp_path: Path, first: str) -> None:
    gone = "0" * 40
    with pytest.raises(UnknownCommitError, match="0000000"):
        commits_since(gone, ["cc"], tmp_path)
    measured = Measured("npm run bench -- lte", gone, "2026-11-24T08:00:00Z", "2 cores", ())
    lines = ages({"npm run bench -- lte": measured}, tmp_path)
    assert [line.split(": ")[0] for line in lines] == ["npm run bench -- lte"]
    assert ages({"npm run bench -- lte": replace(measured, commit=first)}, tmp_path) == []


def test_every_kept_figure_names_a_commit_of_this_branch() -> None:
    if git(ROOT, "rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("a shallow clone: it lacks the commits that figures name")
    known = set(git(ROOT, "rev-list", "HEAD").split())
    gone = {measured.command for measured in all_measured().values() if measured.commit not in known}
    assert gone <= AWAITED
