"""How many commits have changed what kept figures rest on, since the commit that made them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from e2e.laboratory.benchmarks import benchmarks
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.origin import NO_SOURCES


class UnknownCommitError(ValueError):
    """A commit that the clone does not have."""


class UnknownBenchmarkError(ValueError):
    """A command that is no benchmark's."""


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
    """A line for each that is behind, or of which that cannot be told."""
    lines = []
    for command, measured in kept.items():
        try:
            folders = folders_of(command)
            behind = commits_since(measured.commit, folders, root)
        except (UnknownBenchmarkError, UnknownCommitError) as error:
            lines.append(f"{command}: {error}")
            continue
        if behind:
            lines.append(f"{command}: {measured.commit[:7]}, {behind} commits behind in {', '.join(folders)}")
    return lines


def folders_of(command: str) -> tuple[str, ...]:
    """What its figures rest on; those of a group on what any of its studies does.

    Raises UnknownBenchmarkError.
    """
    name = command.split(" -- ", 1)[-1].split(maxsplit=1)[0]
    named = [each for each in benchmarks() if name in (each.name, each.group)]
    if not named:
        raise UnknownBenchmarkError(f"{name} is no benchmark")
    return tuple(dict.fromkeys(folder for each in named for folder in each.rests_on))
