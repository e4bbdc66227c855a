"""One run is made, or fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.plan import RunPlan
from e2e.laboratory.record import RunError, RunFailure, RunRecord
from e2e.laboratory.result import RunResult

MakeRun = Callable[[RunPlan, LoadedLink], RunResult]
"""Makes a run in its place. Raises RunError, or OSError for what the system refuses."""


@dataclass(frozen=True, slots=True)
class KeyedRun:
    """A run and the name of its file."""

    key: str
    plan: RunPlan
    link: LoadedLink


def attempt(make: MakeRun, plan: RunPlan, link: LoadedLink) -> RunRecord:
    """What became of it. What the run, its processes or its link do wrong is its failure; anything else is raised."""
    began_s = time.monotonic()
    result: RunResult | None = None
    failure: RunFailure | None = None
    try:
        result = make(plan, link)
    except RunError as error:
        failure = error.failure
    except OSError as error:
        failure = RunFailure(str(error))
    return record_of(plan, result, failure, wall_s=time.monotonic() - began_s)


def record_of(plan: RunPlan, result: RunResult | None, failure: RunFailure | None, *, wall_s: float = 0.0) -> RunRecord:
    """A run that is over now."""
    return RunRecord(plan, result, failure, datetime.now(UTC).isoformat(timespec="milliseconds"), wall_s)
