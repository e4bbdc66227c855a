"""What a stretch of time took of processes, and what clients got within it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import msgspec

from cc.core.quantile import quantile
from e2e.laboratory.bundle import LATE_HOST_MS
from e2e.laboratory.places.child import ChildError
from e2e.laboratory.statistics.fairness import jain_index

Value = TypeVar("Value")

INTERVAL_S = 0.1
"""Of what clients report."""
LATEST_S = 0.5
"""A client that begins so much later than planned has not been there for all of the time."""


class ReportedIntervals(msgspec.Struct):
    """Of a client's report (transport/headless/receive_intervals.py)."""

    received_bytes: list[int]
    queueing_delay_mean_s: list[float | None] = []


class ClientReport(msgspec.Struct):
    """What is read of it."""

    began_at_s: float
    intervals: ReportedIntervals
    lateness_p99_s: float | None = None
    """Of the client's own loop."""


@dataclass(frozen=True, slots=True)
class Window:
    """The time that counts, since the Unix epoch."""

    begin_at_s: float
    """When clients ask."""
    from_s: float
    to_s: float

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.to_s - self.from_s


@dataclass(frozen=True, slots=True)
class Taken:
    """Of processors, within the window."""

    server_cpu_s: float
    others_cpu_s: float
    """Of clients and emulated links."""
    server_rss_bytes: int
    """What the server's resident memory grew by since before the first session."""
    server_late_s: float | None = None
    links_late_s: float | None = None
    """Of the latest relay; None without one."""


@dataclass(frozen=True, slots=True)
class Load:
    """One arm, once."""

    mbit_per_s: float
    """Of payload, of all clients."""
    megabits_per_cpu_s: float
    """For each second of the server's CPU time, user and system."""
    core_share: float
    """Of the server."""
    others_core_share: float
    smallest_share: float
    """What the client that got least has, beside the mean."""
    jain: float | None
    delay_median_ms: float | None
    """Of the clients' means over 0.1 s."""
    delay_p95_ms: float | None
    rss_kb_a_session: float
    server_late_ms: float | None = None
    """By how much its loop woke late in the last second, p99; None where it does not tell."""
    clients_late_ms: float | None = None
    """Of the latest client, p99 of all its time."""
    links_late_ms: float | None = None
    """Of the latest relay, the same."""

    @property
    def late_hosts(self) -> tuple[str, ...]:
        """Those whose lateness is in the figures: the run took place on an overloaded machine."""
        late_ms = {"server": self.server_late_ms, "clients": self.clients_late_ms, "links": self.links_late_ms}
        return tuple(who for who, ms in late_ms.items() if ms is not None and ms > LATE_HOST_MS)


def load_of(reports: Sequence[ClientReport], taken: Taken, window: Window) -> Load:
    """Raises ChildError where a client began late, or nothing arrived."""
    latest_s = max(report.began_at_s for report in reports) - window.begin_at_s
    if latest_s > LATEST_S:
        raise ChildError(f"a client began {latest_s:.1f} s late: this machine is too busy for so many")
    bits = [8 * sum(_within(report, report.intervals.received_bytes, window)) for report in reports]
    if not any(bits) or taken.server_cpu_s <= 0:
        raise ChildError("nothing arrived within the time that counts")
    megabits = sum(bits) / 1e6
    delays_ms = sorted(
        1000 * delay_s
        for report in reports
        for delay_s in _within(report, report.intervals.queueing_delay_mean_s, window)
        if delay_s is not None
    )
    return Load(
        megabits / window.seconds,
        megabits / taken.server_cpu_s,
        taken.server_cpu_s / window.seconds,
        taken.others_cpu_s / window.seconds,
        min(bits) * len(bits) / sum(bits),
        jain_index(bits),
        median(delays_ms) if delays_ms else None,
        quantile(delays_ms, 0.95) if delays_ms else None,
        taken.server_rss_bytes / 1000 / len(reports),
        None if taken.server_late_s is None else 1000 * taken.server_late_s,
        max((1000 * report.lateness_p99_s for report in reports if report.lateness_p99_s is not None), default=None),
        None if taken.links_late_s is None else 1000 * taken.links_late_s,
    )


def _within(report: ClientReport, values: Sequence[Value], window: Window) -> Sequence[Value]:
    first = round((window.from_s - report.began_at_s) / INTERVAL_S)
    return values[first : first + round(window.seconds / INTERVAL_S)]
