"""bundle.json of a front: how the rows beside it were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from e2e.laboratory.bundle import FailedRun, Machine, UsedTrace, Versions
from e2e.laboratory.condition import Condition
from e2e.laboratory.record import FinishedRun
from e2e.laboratory.store.columns import TABLES, Column, flag, number, schema, text, whole
from e2e.laboratory.store.describe import (
    about_rows,
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
}


@dataclass(frozen=True, slots=True)
class FrontBundle:
    """All of it."""

    command: str
    written_at: str
    """ISO 8601, UTC."""
    versions: Versions
    sources: str
    """Hash of the programs that made the runs."""
    policies: dict[str, str]
    """SHA-256 of the policies of the learned schemes that ran, by policy."""
    links: tuple[UsedTrace, ...]
    """As they were run: thinned out where they are too fast."""
    machine: Machine
    finished: int
    failures: tuple[FailedRun, ...]
    tables: dict[str, dict[str, str]]
    """The files with rows: their columns, and each column's type."""

    @property
    def about(self) -> dict[str, str]:
        """For each file with rows."""
        return about_rows(self.command, self.versions, self.written_at)


def front_bundle(conditions: Sequence[Condition], runs: Sequence[FinishedRun], sources: str) -> FrontBundle:
    """Of runs that are over."""
    failures = failures_of(runs)
    tables: Mapping[str, Mapping[str, Column]] = {**TABLES, POINTS_FILE: POINTS}
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
        tables={
            name: {column: str(kind) for column, kind in schema(columns).items()} for name, columns in tables.items()
        },
    )
