"""What the link's log and the receivers' reports say of a run.

A single flow's queueing delays are those of the log, and its losses the queue's drops, where nothing else loses
packets. The log does not tell several flows apart. Each has the delays that its receiver measured, above the least of
30 s: a queue that stood all that time is not in them. The losses of each are not known: a receiver counts datagrams
that carry nothing but an ACK, too, and they hide losses. The link's own delays are the log's of all flows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from cc.links.link import OVERHEAD_BYTES
from e2e.laboratory.decisions import decisions_by_scheme
from e2e.laboratory.places.link_log import LinkLog
from e2e.laboratory.places.log_span import LogSpan
from e2e.laboratory.places.media_server import Farewell
from e2e.laboratory.plan import INTERVAL_S, FlowChoice, RunPlan
from e2e.laboratory.result import (
    DelaySummary,
    FlowIntervals,
    FlowResult,
    Intervals,
    RunResult,
    SchemeDecisions,
)
from transport.headless.receive import ReceiveReport
from transport.headless.receive_intervals import IntervalRecord

ValueT = TypeVar("ValueT")


@dataclass(frozen=True, slots=True)
class EmulatedRun:
    """What is left of one."""

    plan: RunPlan
    reports: Sequence[ReceiveReport]
    """One for each flow, in order."""
    log: LinkLog
    zero_s: float
    """The run's beginning, since the Unix epoch."""
    server_cpu_share: float | None
    server: Farewell
    """What the media server said at its end."""


def emulated_result(run: EmulatedRun) -> RunResult:
    """In the laboratory's terms."""
    plan, flows = run.plan, run.plan.arm.flows
    count = int(plan.duration_s / INTERVAL_S + 1e-6)
    span = LogSpan(run.zero_s, plan.duration_s, count)
    link = span.link_result(run.log)
    measured = [_flow_result(flow, report) for flow, report in zip(flows, run.reports, strict=True)]
    intervals = [_flow_intervals(flow, report, count) for flow, report in zip(flows, run.reports, strict=True)]
    if len(flows) == 1:
        measured = [replace(measured[0], queueing_delay=link.queueing_delay)]
        mean_ms, p95_ms = span.delays_in_bins(run.log)
        intervals = [replace(intervals[0], queueing_delay_mean_ms=mean_ms, queueing_delay_p95_ms=p95_ms)]
        if plan.link.loss_ratio == 0:
            measured = [replace(measured[0], packets_lost=link.dropped)]
    own = [report.policy for report in run.reports if report.policy is not None]
    reported = [SchemeDecisions(it.scheme, it.is_loaded, it.decisions, it.answered, it.late, it.failed) for it in own]
    return RunResult(
        flows=tuple(measured),
        link=link,
        intervals=Intervals(
            begin_s=tuple(round(index * INTERVAL_S, 3) for index in range(count)),
            capacity_bits_per_s=span.rate_in_bins(run.log.opportunities),
            flows=tuple(intervals),
        ),
        server_cpu_share=run.server_cpu_share,
        server_lateness_p99_ms=_ms(run.server.lateness_p99_s),
        receiver_lateness_p99_ms=_ms(max((report.lateness_p99_s or 0.0 for report in run.reports), default=None)),
        decisions=decisions_by_scheme([*reported, *run.server.decisions]),
    )


def _flow_result(flow: FlowChoice, report: ReceiveReport) -> FlowResult:
    wire_bytes = _wire_bytes(report)
    return FlowResult(
        scheme=flow.scheme,
        goodput_bits_per_s=8 * report.received_bytes / report.seconds,
        throughput_bits_per_s=8 * sum(wire_bytes) / (len(wire_bytes) * INTERVAL_S),
        queueing_delay=_reported_delay(report),
        packets_sent=report.packets_sent,
        packets_lost=None,
        spurious_losses=None,
        rtt_mean_ms=_ms(report.rtt_mean_s),
    )


def _reported_delay(report: ReceiveReport) -> DelaySummary | None:
    mean_s, p50_s = report.queueing_delay_mean_s, report.queueing_delay_p50_s
    p95_s, max_s = report.queueing_delay_p95_s, report.queueing_delay_max_s
    if mean_s is None or p50_s is None or p95_s is None or max_s is None:
        return None
    return DelaySummary(1000 * mean_s, 1000 * p50_s, 1000 * p95_s, 1000 * max_s)


def _flow_intervals(flow: FlowChoice, report: ReceiveReport, count: int) -> FlowIntervals:
    """The receiver's record, which begins with its flow, on the run's time."""
    record = _record(report)
    before = round(flow.start_s / INTERVAL_S)

    def placed(values: Sequence[ValueT], absent: ValueT) -> tuple[ValueT, ...]:
        return (*[absent] * before, *values, *[absent] * count)[:count]

    nothing: Sequence[None] = ()
    return FlowIntervals(
        delivered_bits_per_s=placed([8 * wire_bytes / INTERVAL_S for wire_bytes in _wire_bytes(report)], 0.0),
        queueing_delay_mean_ms=placed([_ms(delay_s) for delay_s in record.queueing_delay_mean_s], None),
        queueing_delay_p95_ms=placed([_ms(delay_s) for delay_s in record.queueing_delay_p95_s], None),
        cwnd_bytes=placed(record.cwnd_bytes, None),
        bytes_in_flight=placed(nothing, None),
        pacing_bits_per_s=placed(nothing, None),
    )


def _wire_bytes(report: ReceiveReport) -> list[int]:
    """Of each interval, as the link counts."""
    record = _record(report)
    return [
        payload_bytes + OVERHEAD_BYTES * datagrams
        for payload_bytes, datagrams in zip(record.payload_bytes, record.datagrams, strict=True)
    ]


def _record(report: ReceiveReport) -> IntervalRecord:
    assert report.intervals is not None, "receivers are started with --interval"
    return report.intervals


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else 1000 * seconds
