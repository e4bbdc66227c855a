"""bundle.json of a front: how the rows beside it were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from e2e.laboratory.bundle import FailedRun, Made
from e2e.laboratory.condition import Condition
from e2e.laboratory.record import FinishedRun
from e2e.laboratory.store.columns import TABLES, Column, flag, kinds, number, text, whole
from e2e.laboratory.store.describe import (
    command_line,
    failures_of,
    policies_of,
    this_machine,
    used_traces,
    versions_of,
    written_now,
)

POINTS_FILE = "points.parquet"
POINTS: Mapping[str, Column] = {
    "scheme": text("with its preset, where that is another than on-demand"),
    "is_sender_side": flag("whether the sender works out its window"),
    "link": text("the trace's name, with its mean rate where it was thinned out to that"),
    "family": text("of links: what this one is like"),
    "start": whole("from 1: of the places in the trace where runs begin"),
    "throughput_bits_per_s": number("of what left the link, with all headers; NaN where the run failed"),
    "queueing_delay_p95_ms": number("95th percentile of the packets' time in the queue; NaN where the run failed"),
    "omniscient_throughput_bits_per_s": number("the same of a sender that knows the link"),
    "omniscient_queueing_delay_p95_ms": number("the same of a sender that knows the link"),
    "segment_mean_ms": number("from a segment's handover until it is acknowledged; NaN of transfers without end"),
    "segment_p95_ms": number("95th percentile of the same"),
}


@dataclass(frozen=True, slots=True)
class FrontBundle(Made):
    """Of a front; its links are thinned out where they are too fast."""

    sources: str
    """Hash of the programs that made the runs."""
    failures: tuple[FailedRun, ...]


def front_bundle(conditions: Sequence[Condition], runs: Sequence[FinishedRun], sources: str) -> FrontBundle:
    """Of runs that are over."""
    failures = failures_of(runs)
    return FrontBundle(
        command=command_line(),
        written_at=written_now(),
        versions=versions_of(None),
        sources=sources,
        policies=policies_of(flow.scheme for run in runs for flow in run.record.plan.arm.flows),
        links=used_traces(condition.link for condition in conditions),
        machine=this_machine(),
        finished=len(runs) - len(failures),
        failures=failures,
        tables=kinds({**TABLES, POINTS_FILE: POINTS}),
    )
