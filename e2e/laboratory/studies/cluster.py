"""The same simulations by a cluster's workers and by processes of this machine: the same answers, and how fast."""

from __future__ import annotations

import hashlib
import io
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.runs.attempt import KeyedRun
from e2e.laboratory.runs.makers import makers_of
from e2e.laboratory.runs.run_all import Means, run_all
from e2e.laboratory.store.run_store import RunStore
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import ALONE_S, simulated_alone
from e2e.laboratory.studies.samples import median_figure, ratios
from e2e.laboratory.studies.study import Study
from models.executors.registry import open_workers

SCHEMES = ("cubic", "nuwa", "bbr")
SEEDS = 50
RAY = "local-ray"
NONE_DIFFER = Reach("at most", 0)
AS_FAST = Reach("at most", 1.1)


@dataclass(frozen=True, slots=True)
class Made:
    """All runs, by one kind of workers."""

    sha256: str
    """Of all answers."""
    start_s: float
    """Until there were workers."""
    runs_s: float


def measure(bench: Bench) -> Findings:
    """Both kinds in turn, as often as asked for."""
    runs = simulated_alone(SCHEMES, seeds=SEEDS)
    kinds = (None, RAY)
    made: dict[str | None, list[Made]] = {kind: [] for kind in kinds}
    for repeat in range(bench.repeats):
        for kind in kinds if repeat % 2 == 0 else reversed(kinds):
            made[kind].append(make_all(runs, kind, bench.settings.jobs))
    local, by_ray = made[None], made[RAY]
    differ = [float(one.sha256 != other.sha256) for one, other in zip(local, by_ray, strict=True)]
    times = ratios([each.runs_s for each in by_ray], [each.runs_s for each in local])
    whole = ratios([each.start_s + each.runs_s for each in by_ray], [each.start_s + each.runs_s for each in local])
    rows = (("processes of this machine", local[0].sha256), ("Ray on this machine", by_ray[0].sha256))
    return Findings(
        (
            Figure("repeats whose answers differ", sum(differ), "", tuple(differ), reach=NONE_DIFFER),
            median_figure(f"{len(runs)} runs by Ray / by processes", times, "x the time", reach=AS_FAST),
            median_figure("the same with the start of Ray", whole, "x the time"),
            median_figure("the runs by processes of this machine", [each.runs_s for each in local], "s"),
            median_figure("until Ray is there", [each.start_s for each in by_ray], "s"),
        ),
        tables=(Table("SHA-256 of all answers", ("by", "SHA-256"), rows),),
    )


def make_all(runs: Sequence[KeyedRun], cluster: str | None, jobs: int) -> Made:
    """Into a store of their own. Raises ClusterError."""
    with tempfile.TemporaryDirectory(prefix="nuwa-cluster-") as folder:
        store = RunStore(Path(folder))
        began_s = time.monotonic()
        with open_workers(cluster, jobs, _refuse) as workers:
            opened_s = time.monotonic()
            run_all(runs, store, Means(makers_of(None), workers, io.StringIO()))
            ended_s = time.monotonic()
        return Made(answers_sha256(runs, store), opened_s - began_s, ended_s - opened_s)


def answers_sha256(runs: Sequence[KeyedRun], store: RunStore) -> str:
    """Of the runs' results and failures: when they were made, and how long that took, is left out."""
    digest = hashlib.sha256()
    for run in sorted(runs, key=lambda each: each.key):
        record = store.read(run.key)
        assert record is not None
        digest.update(f"{run.key}\n".encode() + msgspec.json.encode((record.result, record.failure)))
    return digest.hexdigest()


def _refuse(line: str) -> None:
    """Nothing is to be measured by other workers than those asked for."""
    raise AssertionError(line)


STUDY = Study(
    "Runs by a cluster's workers",
    f"CUBIC, Nuwa and BBR over 24 Mbit/s, {SEEDS} seeds of {ALONE_S:g} s each, simulated by Ray with as many "
    "workers as there are processes, and by processes: SHA-256 of all answers, and the time.",
    measure,
)
