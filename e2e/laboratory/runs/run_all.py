"""Makes what is not finished: simulations side by side, then emulated runs, one after the other on a machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TextIO

from cc.registry import scheme
from e2e.laboratory.condition import Condition
from e2e.laboratory.decisions import LEARNED
from e2e.laboratory.plan import Place, RunPlan, describe_run, plan_key
from e2e.laboratory.record import FinishedRun, RunFailure, RunRecord
from e2e.laboratory.runs.attempt import KeyedRun, MakeRun, attempt, record_of
from e2e.laboratory.runs.hand_out import Desk, hand_out
from e2e.laboratory.runs.progress import Progress
from e2e.laboratory.statistics.missed_decisions import describe_mark
from e2e.laboratory.store.run_store import RunStore
from models.executors.workers import Workers
from models.policies.check import find_problem

HANDED_OUT: frozenset[Place] = frozenset({"simulation", "relay"})
"""Places whose runs a cluster can make: they need nothing but our packages."""


@dataclass(frozen=True, slots=True)
class Means:
    """What makes runs."""

    makers: Mapping[Place, MakeRun]
    """By place; those of HANDED_OUT go to other processes."""
    workers: Workers
    output: TextIO = field(default_factory=lambda: sys.stderr)


def keyed_runs(conditions: Iterable[Condition], sources_of: Callable[[Place], str]) -> list[KeyedRun]:
    """The runs of all conditions, each once: two conditions may share what they are held against."""
    runs: dict[str, KeyedRun] = {}
    for condition in conditions:
        for plan in (*condition.runs, *condition.references):
            key = plan_key(plan, sources_of(plan.place))
            runs.setdefault(key, KeyedRun(key, plan, condition.link))
    return list(runs.values())


def run_all(runs: Sequence[KeyedRun], store: RunStore, means: Means) -> None:
    """What was made before is not made again, except what failed. An interrupt leaves what is finished."""
    pending = [run for run in runs if not _is_finished(store.read(run.key))]
    if not pending:
        return
    with Progress(total=len(runs), done=len(runs) - len(pending), output=means.output) as progress:
        sound = list(_refuse_unsound(pending, store, progress))
        simulated = [run for run in sound if run.plan.place == "simulation"]
        hand_out(simulated, _desk(means.workers.make_executor, means.workers.jobs, store, means, progress))
        emulated = [run for run in sound if run.plan.place != "simulation"]
        if means.workers.make_emulator is not None and means.workers.emulators > 0:
            relayed = [run for run in emulated if run.plan.place in HANDED_OUT]
            hand_out(relayed, _desk(means.workers.make_emulator, means.workers.emulators, store, means, progress))
            emulated = [run for run in emulated if run.plan.place not in HANDED_OUT]
        for run in emulated:
            progress.begin(describe_run(run.plan))
            _keep(run, attempt(means.makers[run.plan.place], run.plan, run.link), store, progress)


def finished_runs(runs: Iterable[KeyedRun], store: RunStore) -> list[FinishedRun]:
    """Those that are over, under the names that their arms have now."""
    records = ((run, store.read(run.key)) for run in runs)
    return [
        FinishedRun(run.key, RunRecord(run.plan, record.result, record.failure, record.finished_at, record.wall_s))
        for run, record in records
        if record is not None
    ]


def _is_finished(record: RunRecord | None) -> bool:
    return record is not None and record.result is not None


def _refuse_unsound(runs: Iterable[KeyedRun], store: RunStore, progress: Progress) -> Iterator[KeyedRun]:
    """A learned scheme without its policy would run its heuristic, and not be what it is called."""
    for run in runs:
        missing = find_missing_policy(run.plan)
        if missing is None:
            yield run
        else:
            progress.begin(describe_run(run.plan))
            _keep(run, record_of(run.plan, None, missing), store, progress)


def _desk(
    make_executor: Callable[[int], Executor], jobs: int, store: RunStore, means: Means, progress: Progress
) -> Desk[KeyedRun, RunRecord]:
    def lose(run: KeyedRun) -> None:
        failure = RunFailure("the run's process ended early; did it run out of memory?")
        _keep(run, record_of(run.plan, None, failure), store, progress)

    return Desk(
        make_executor,
        jobs,
        submit=lambda executor, run: executor.submit(attempt, means.makers[run.plan.place], run.plan, run.link),
        begin=lambda run: progress.begin(describe_run(run.plan)),
        drop=lambda run: progress.drop(describe_run(run.plan)),
        keep=lambda run, record: _keep(run, record, store, progress),
        lose=lose,
    )


def _keep(run: KeyedRun, record: RunRecord, store: RunStore, progress: Progress) -> None:
    store.write(run.key, record)
    name = describe_run(run.plan)
    mark = None if record.result is None else describe_mark(record.result)
    if record.failure is not None:
        progress.say(f"failed: {name}: {record.failure.message}")
    if mark is not None:
        progress.say(f"marked: {name}: {mark}")
    progress.finish(name)


def find_missing_policy(plan: RunPlan) -> RunFailure | None:
    """The first scheme of a run whose policy cannot be had, and why; None where all can."""
    for flow in plan.arm.flows:
        policy = scheme(flow.scheme).policy if flow.scheme in LEARNED else None
        problem = None if policy is None else find_problem(policy)
        if problem is not None:
            return RunFailure(problem, flow.scheme)
    return None
