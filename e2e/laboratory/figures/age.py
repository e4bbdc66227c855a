"""How many commits have changed what kept figures rest on, since the commit that made them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from e2e.laboratory.benchmarks import Benchmark, benchmarks
from e2e.laboratory.figures.measured import Measured

SIMULATED = ("cc", "models")
SERVED = (*SIMULATED, "transport", "player/src")
BROWSER = (*SIMULATED, "transport", "player", "server", "e2e/browser")
NO_SOURCES = (":(exclude)*.md", ":(exclude,glob)**/tests/**", ":(exclude)*.test.ts")


class UnknownCommitError(ValueError):
    """A commit that the clone does not have."""


def commits_since(commit: str, folders: Sequence[str], root: Path) -> int:
    """That changed sources in these folders.

    Raises UnknownCommitError for a commit that is none of those before the one that is checked out.
    """
    known = subprocess.run(
        ["git", "merge-base", "--is-ancestor", commit, "HEAD"], cwd=root, capture_output=True, check=False
    )
    if known.returncode != 0:
        raise UnknownCommitError(f"{commit[:7]} is no commit before {root}'s HEAD")
    count = ["git", "rev-list", "--count", f"{commit}..HEAD", "--", *folders, *NO_SOURCES]
    return int(subprocess.run(count, cwd=root, capture_output=True, text=True, check=True).stdout)


def ages(kept: Mapping[str, Measured], root: Path) -> list[str]:
    """A line for each that is behind, or whose commit is not there."""
    known = {each.name: each for each in benchmarks()}
    lines = []
    for command, measured in kept.items():
        folders = folders_of(known.get(benchmark_name(command)))
        try:
            behind = commits_since(measured.commit, folders, root)
        except UnknownCommitError as error:
            lines.append(f"{command}: {error}")
            continue
        if behind:
            lines.append(f"{command}: {measured.commit[:7]}, {behind} commits behind in {', '.join(folders)}")
    return lines


def benchmark_name(command: str) -> str:
    """The first word behind `npm run bench --`."""
    return command.split(" -- ", 1)[-1].split(maxsplit=1)[0]


def folders_of(benchmark: Benchmark | None) -> tuple[str, ...]:
    """What its figures rest on; of one that is not listed, simulation's."""
    if benchmark is not None and benchmark.program is not None:
        return BROWSER
    return SERVED if benchmark is not None and benchmark.suite is not None else SIMULATED
