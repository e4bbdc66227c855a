"""What a run measured.

None is what cannot be measured where the run took place. Rates are as the link counts, with all headers; goodput alone
counts UDP payload (in simulation) or the responses' bytes (where it is emulated).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DelaySummary:
    """Of packets' queueing delays."""

    mean_ms: float
    p50_ms: float
    p95_ms: float
    max_ms: float


@dataclass(frozen=True, slots=True)
class SegmentTimes:
    """From when a segment is handed over until all of it is acknowledged; the last, unfinished one has none."""

    delivered: int
    mean_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class FlowResult:
    """One flow, over the time in which it was active."""

    scheme: str
    goodput_bits_per_s: float
    """What arrived and was of use."""
    throughput_bits_per_s: float
    """What arrived."""
    queueing_delay: DelaySummary | None
    packets_sent: int | None
    packets_lost: int | None
    """In simulation those that the sender declared lost, elsewhere those that the queue dropped from a single flow."""
    spurious_losses: int | None
    rtt_mean_ms: float | None
    segments: SegmentTimes | None = None
    """Of an on-off source in simulation; None where none was delivered."""


@dataclass(frozen=True, slots=True)
class LinkResult:
    """The link, over the whole run."""

    capacity_bits_per_s: float
    throughput_bits_per_s: float
    queueing_delay: DelaySummary | None
    """Of all flows' packets together; None where none left."""
    dropped: int | None
    """By the queue."""
    lost: int | None
    """By chance."""


@dataclass(frozen=True, slots=True)
class FlowIntervals:
    """One flow, interval by interval; `None` where nothing arrived."""

    delivered_bits_per_s: tuple[float, ...]
    queueing_delay_mean_ms: tuple[float | None, ...]
    queueing_delay_p95_ms: tuple[float | None, ...]
    cwnd_bytes: tuple[int | None, ...]
    """At the interval's end, as the two that follow."""
    bytes_in_flight: tuple[int | None, ...]
    pacing_bits_per_s: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Consecutive stretches of `plan.INTERVAL_S` from the run's beginning."""

    begin_s: tuple[float, ...]
    capacity_bits_per_s: tuple[float, ...]
    flows: tuple[FlowIntervals, ...]


@dataclass(frozen=True, slots=True)
class SchemeDecisions:
    """What became of a learned scheme's decisions, over all its flows.

    The fields are those of a receiver's and of the media server's reports (transport/policies.py).
    """

    scheme: str
    is_loaded: bool
    """Whether its policy was there, for each flow."""
    decisions: int
    """Those that it asked for; in each flow one may have been open at the end."""
    answered: int
    late: int
    """Not answered when the next interval ended."""
    failed: int
    """Answered by no finite number, or by none of the actions."""


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The film of a run in a browser."""

    qoe_per_segment: float | None
    """QoE_lin of Pensieve; None where no segment was played."""
    played_s: float
    startup_s: float | None
    stalls: int
    stalled_s: float
    bitrate_mean_bits_per_s: float | None
    switches: int
    estimate_error_ratio: float | None
    """Median of |estimate / capacity - 1| of the estimator that the adaptation used, while the link was in use."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """All that one run measured."""

    flows: tuple[FlowResult, ...]
    link: LinkResult
    intervals: Intervals
    server_cpu_share: float | None = None
    """CPU seconds of the media server per second of the run; None in simulation."""
    server_lateness_p99_ms: float | None = None
    """By how much the media server's loop woke late; None in simulation, as the next."""
    receiver_lateness_p99_ms: float | None = None
    """The same of the flow's receiver, of several that of the latest."""
    decisions: tuple[SchemeDecisions, ...] = ()
    """One for each learned scheme."""
    player: PlayerResult | None = None
