"""Runs as tables, and as the figures that pages show."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from e2e.fuzzing.registry import ENTRIES, entry
from e2e.fuzzing.runs import Run
from e2e.fuzzing.target import KINDS
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.figures.markdown import markdown_table

MOST_GROWTH_BYTES = 4 * 2**20
"""Of a process after its first third, whatever it is fed: what allocators and caches move by."""
HEADER = ("target", "inputs", "understood", "findings", "slowest, ms", "growth, MB")


def run_table(runs: Sequence[Run]) -> str:
    """A line a run."""
    return markdown_table(HEADER, [_row(run.target, [run]) for run in runs])


def target_table(runs: Sequence[Run]) -> str:
    """A line a target that was run."""
    by_name = {each.name: [run for run in runs if run.target == each.name] for each in ENTRIES}
    return markdown_table(HEADER, [_row(name, found) for name, found in by_name.items() if found])


def growing(runs: Sequence[Run]) -> list[Run]:
    """Those in which memory grew by more than it may."""
    return [run for run in runs if run.growth_bytes is not None and run.growth_bytes > MOST_GROWTH_BYTES]


def figures(runs: Sequence[Run], failing: Sequence[Path]) -> list[Figure]:
    """What was fed of each kind, beside how much it is to be, and what went wrong."""
    found = []
    for kind in KINDS:
        own = [run for run in runs if entry(run.target).kind is kind]
        if own:
            fed = sum(run.inputs for run in own)
            found.append(Figure(kind.title, float(fed), "inputs", reach=Reach("at least", kind.goal_inputs)))
    growths = [run.growth_bytes for run in runs if run.growth_bytes is not None]
    slowest_s = max((run.slowest_s for run in runs), default=None)
    found += [
        Figure("crashes and hangs that are not mended", float(len(failing)), reach=Reach("at most", 0)),
        Figure("the slowest input", slowest_s, "s", reach=Reach("at most", 1.0)),
        Figure(
            "growth of memory in a run, the most",
            max(growths) / 2**20 if growths else None,
            "MB",
            reach=Reach("at most", MOST_GROWTH_BYTES / 2**20),
        ),
    ]
    return found


def _row(name: str, runs: Sequence[Run]) -> tuple[str, ...]:
    inputs = sum(run.inputs for run in runs)
    understood = sum(run.understood for run in runs)
    growths = [run.growth_bytes for run in runs if run.growth_bytes is not None]
    return (
        name,
        f"{inputs:,}",
        f"{100 * understood / inputs:.0f} %" if inputs else "",
        f"{sum(len(run.findings) for run in runs)}",
        f"{1000 * max(run.slowest_s for run in runs):.1f}",
        f"{max(growths) / 2**20:.1f}" if growths else "",
    )
