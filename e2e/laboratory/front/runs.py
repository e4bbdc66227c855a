"""Makes the runs, and reads from them what the front is drawn of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np
import numpy.typing as npt
import polars as pl

from cc.registry import scheme
from cc.simulation.omniscient import OMNISCIENT
from e2e.laboratory.condition import Condition
from e2e.laboratory.front.bundle import POINTS, POINTS_FILE, FrontBundle, front_bundle
from e2e.laboratory.matrix.links import family
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.plan import RunPlan
from e2e.laboratory.record import FindRun, finder_of
from e2e.laboratory.runs.makers import makers_of
from e2e.laboratory.runs.run_all import Means, finished_runs, keyed_runs, run_all
from e2e.laboratory.store.columns import schema
from e2e.laboratory.store.describe import write_bundle
from e2e.laboratory.store.rows import write_rows
from e2e.laboratory.store.run_store import RunStore
from e2e.laboratory.store.sources import sources_of
from e2e.laboratory.store.tables import write_table
from models.executors.workers import local_workers

LEAST_DELAY_MS = 0.1
"""Where the queue was empty: a delay's logarithm must be there."""


@dataclass(frozen=True, slots=True)
class Points:
    """Throughput and p95 delay of each scheme over each link from each start; NaN where a run failed."""

    schemes: tuple[str, ...]
    is_sender: tuple[bool, ...]
    """Whether a scheme's window is worked out by the sender."""
    links: tuple[str, ...]
    families: tuple[str, ...]
    """Of each link."""
    throughput_bits_per_s: npt.NDArray[np.float64]
    """Schemes x links x starts."""
    p95_delay_ms: npt.NDArray[np.float64]
    best_throughput_bits_per_s: npt.NDArray[np.float64]
    """The omniscient sender's: links x starts."""
    best_delay_ms: npt.NDArray[np.float64]
    segment_mean_ms: npt.NDArray[np.float64]
    """Schemes x links x starts; NaN of transfers without end, and where none was delivered."""
    segment_p95_ms: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """What all runs came to."""

    points: Points
    bundle: FrontBundle


def measure(conditions: Sequence[Condition], *, folder: Path, jobs: int, output: TextIO) -> Measured:
    """Makes the runs that are not there yet. Raises OptionError, and OSError where one cannot be kept."""
    sources = sources_of("simulation")
    runs = keyed_runs(conditions, lambda _place: sources)
    try:
        store = RunStore(folder)
    except OSError as error:
        raise OptionError(f"--output {folder} cannot be made: {error.strerror}") from error
    output.write(f"{len(runs)} runs, in {folder}\n")
    run_all(runs, store, Means(makers_of(None), local_workers(jobs), output))
    finished = finished_runs(runs, store)
    bundle = front_bundle(conditions, finished, sources)
    write_rows(folder, finished, bundle.about)
    write_bundle(folder, bundle)
    return Measured(points_of(conditions, finder_of(finished)), bundle)


def points_of(conditions: Sequence[Condition], find: FindRun) -> Points:
    """Of links whose names are their own."""
    links = tuple(condition.link.name for condition in conditions)
    arms = conditions[0].arms
    # segments are of each link's own size, and with them its arms
    plans = [[each.runs_of(each.arms[at]) for each in conditions] for at in range(len(arms))]
    rates = np.array([[[_rate(find, plan) for plan in own] for own in of_arm] for of_arm in plans])
    delays = np.array([[[_delay(find, plan) for plan in own] for own in of_arm] for of_arm in plans])
    return Points(
        tuple(arm.name for arm in arms),
        tuple(_is_sender(arm.flows[0].scheme) for arm in arms),
        links,
        tuple(family(condition.link.choice.trace) for condition in conditions),
        rates,
        delays,
        np.array([[_rate(find, plan) for plan in each.references] for each in conditions]),
        np.array([[_delay(find, plan) for plan in each.references] for each in conditions]),
        np.array([[[_segment_ms(find, plan)[0] for plan in own] for own in of_arm] for of_arm in plans]),
        np.array([[[_segment_ms(find, plan)[1] for plan in own] for own in of_arm] for of_arm in plans]),
    )


def write_points(folder: Path, measured: Measured) -> None:
    """A row a scheme, link and start. Raises OSError."""
    table = pl.DataFrame(list(_rows(measured.points)), schema=schema(POINTS))
    write_table(folder / POINTS_FILE, table, POINTS, measured.bundle.about)


def _rows(points: Points) -> Iterator[dict[str, object]]:
    for at, name in enumerate(points.schemes):
        for link, link_name in enumerate(points.links):
            for start in range(points.throughput_bits_per_s.shape[2]):
                yield {
                    "scheme": name,
                    "is_sender_side": points.is_sender[at],
                    "link": link_name,
                    "family": points.families[link],
                    "start": start + 1,
                    "throughput_bits_per_s": float(points.throughput_bits_per_s[at, link, start]),
                    "queueing_delay_p95_ms": float(points.p95_delay_ms[at, link, start]),
                    "omniscient_throughput_bits_per_s": float(points.best_throughput_bits_per_s[link, start]),
                    "omniscient_queueing_delay_p95_ms": float(points.best_delay_ms[link, start]),
                    "segment_mean_ms": float(points.segment_mean_ms[at, link, start]),
                    "segment_p95_ms": float(points.segment_p95_ms[at, link, start]),
                }


def _is_sender(name: str) -> bool:
    return name != OMNISCIENT and scheme(name).control == "sender"


def _rate(find: FindRun, plan: RunPlan) -> float:
    result = find(plan).record.result
    return math.nan if result is None else result.flows[0].throughput_bits_per_s


def _delay(find: FindRun, plan: RunPlan) -> float:
    result = find(plan).record.result
    delay = None if result is None else result.flows[0].queueing_delay
    return math.nan if delay is None else max(LEAST_DELAY_MS, delay.p95_ms)


def _segment_ms(find: FindRun, plan: RunPlan) -> tuple[float, float]:
    """Mean and 95th percentile."""
    result = find(plan).record.result
    times = None if result is None else result.flows[0].segments
    return (math.nan, math.nan) if times is None else (times.mean_ms, times.p95_ms)
