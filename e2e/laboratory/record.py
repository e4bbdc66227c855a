"""What became of a run, and how a plan finds it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from e2e.laboratory.plan import RunPlan, nameless
from e2e.laboratory.result import RunResult


@dataclass(frozen=True, slots=True)
class RunFailure:
    """Why a run came to nothing: whose fault it was, in a sentence, and in what state."""

    message: str
    scheme: str | None = None
    """None where it was no scheme's."""
    state: Mapping[str, object] = field(default_factory=dict)


class RunError(Exception):
    """A run that failed, to be recorded as failed while the others go on."""

    def __init__(self, failure: RunFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What became of a run; exactly one of `result` and `failure` is set."""

    plan: RunPlan
    result: RunResult | None
    failure: RunFailure | None
    finished_at: str
    """ISO 8601, UTC."""
    wall_s: float
    """What it took."""


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run that is over, well or badly, and the name of its file."""

    key: str
    record: RunRecord


FindRun = Callable[[RunPlan], FinishedRun]
"""The run that a plan asked for."""


def finder_of(runs: Iterable[FinishedRun]) -> FindRun:
    """Finds by all that a plan says but its arm's name, so that two links with one name are kept apart."""
    known = {nameless(run.record.plan): run for run in runs}

    def find(plan: RunPlan) -> FinishedRun:
        return known[nameless(plan)]

    return find
