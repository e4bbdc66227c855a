"""How long a thousand simulated runs take, and whether their workers' memory grows with the runs."""

from __future__ import annotations

import io
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from pathlib import Path
from statistics import median

import cc
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.places.child import ChildError
from e2e.laboratory.places.process import Process
from e2e.laboratory.runs.makers import makers_of
from e2e.laboratory.runs.run_all import Means, run_all
from e2e.laboratory.store.run_store import RunStore
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import ALONE_S, simulated_alone
from e2e.laboratory.studies.study import Study
from models.executors.workers import local_workers

SCHEMES = ("cubic", "nuwa", "bbr", "copa")
SEEDS = 250
JOBS = 2
SAMPLE_S = 0.25
LONGEST = Reach("at most", 180)
FLAT = Reach("at most", 1.1)


def measure(bench: Bench) -> Findings:
    """Once."""
    runs = simulated_alone(SCHEMES, seeds=SEEDS)
    with tempfile.TemporaryDirectory(prefix="nuwa-many-runs-") as folder, workers_memory_bytes() as memory_bytes:
        began_s = time.monotonic()
        run_all(runs, RunStore(Path(folder)), Means(makers_of(None), local_workers(JOBS), io.StringIO()))
        took_s = time.monotonic() - began_s
    by = "interpreted" if cc.COMPILED is None else "compiled"
    return Findings(
        (
            Figure(f"{len(runs)} runs of {ALONE_S:g} s by {JOBS} processes ({by})", took_s, "s", reach=LONGEST),
            Figure("memory of the larger worker, at most", max(memory_bytes) / 1e6, "MB"),
            Figure("its memory in the last quarter / in the second", growth(memory_bytes), reach=FLAT),
        )
    )


@contextmanager
def workers_memory_bytes() -> Iterator[list[int]]:
    """The resident memory of the largest child of this process, over and over while the block runs."""
    samples: list[int] = []
    is_over = threading.Event()

    def sample() -> None:
        while not is_over.wait(SAMPLE_S):
            with suppress(ChildError):  # one has just ended
                samples.append(max([Process(child.pid or 0).rss_bytes for child in active_children()], default=0))

    sampler = threading.Thread(target=sample)
    sampler.start()
    try:
        yield samples
    finally:
        is_over.set()
        sampler.join()


def growth(samples: Sequence[int]) -> float:
    """The last quarter's median by the second quarter's: the first has the workers' start."""
    quarter = len(samples) // 4
    return median(samples[-quarter:]) / median(samples[quarter : 2 * quarter])


STUDY = Study(
    "A thousand simulated runs",
    f"CUBIC, Nuwa, BBR and Copa over 24 Mbit/s, {SEEDS} seeds of {ALONE_S:g} s each, by {JOBS} processes of this "
    "machine: the time, and the resident memory of the larger one.",
    measure,
    is_made_once=True,
)
