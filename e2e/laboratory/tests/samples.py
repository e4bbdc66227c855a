"""Runs made up for tests: steady ones, whose figures are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from e2e.laboratory.condition import Condition, LoadedLink
from e2e.laboratory.matrix.expand import expand_matrix
from e2e.laboratory.matrix.options import parse_options
from e2e.laboratory.plan import INTERVAL_S, Arm, FlowChoice, LinkPlan, RunPlan
from e2e.laboratory.record import FinishedRun, RunFailure, RunRecord
from e2e.laboratory.request import LinkChoice, MatrixRequest
from e2e.laboratory.result import DelaySummary, FlowIntervals, FlowResult, Intervals, LinkResult, RunResult

CAPACITY_BITS_PER_S = 24e6


def sample_link(choice: LinkChoice) -> LoadedLink:
    """A trace with a period of one second, called as it was asked for."""
    return LoadedLink(choice, choice.trace, (1, 1000), (1,), "f00d", "f00d")


def sample_plan(
    flows: Sequence[FlowChoice] = (FlowChoice("cubic", "on-demand"),), *, seed: int = 1, duration_s: float = 2.0
) -> RunPlan:
    """A simulated run of CUBIC, or of these flows."""
    link = LinkPlan(
        name="24mbit",
        downlink_sha256="a",
        uplink_sha256="a",
        start_ms=0,
        delay_ms=20,
        discipline="droptail",
        queue_packets=300,
        loss_ratio=0.0,
    )
    return RunPlan("simulation", link, Arm(flows[0].scheme, tuple(flows)), seed, duration_s)


def sample_result(plan: RunPlan, rates_bits_per_s: Sequence[float], p95_ms: float) -> RunResult:
    """Each flow receives its rate all the time; of 1000 packets it loses 10."""
    delay = DelaySummary(mean_ms=p95_ms / 2, p50_ms=p95_ms / 2, p95_ms=p95_ms, max_ms=2 * p95_ms)
    count = round(plan.duration_s / INTERVAL_S)
    flows = [
        FlowResult(
            scheme=flow.scheme,
            goodput_bits_per_s=rate,
            throughput_bits_per_s=rate,
            queueing_delay=delay,
            packets_sent=1000,
            packets_lost=10,
            spurious_losses=0,
            rtt_mean_ms=40 + p95_ms / 2,
        )
        for flow, rate in zip(plan.arm.flows, rates_bits_per_s, strict=True)
    ]
    return RunResult(
        flows=tuple(flows),
        link=LinkResult(CAPACITY_BITS_PER_S, sum(rates_bits_per_s), delay, dropped=10, lost=0),
        intervals=Intervals(
            begin_s=tuple(index * INTERVAL_S for index in range(count)),
            capacity_bits_per_s=(CAPACITY_BITS_PER_S,) * count,
            flows=tuple(_steady(rate, p95_ms, count) for rate in rates_bits_per_s),
        ),
    )


def _steady(rate_bits_per_s: float, p95_ms: float, count: int) -> FlowIntervals:
    return FlowIntervals(
        delivered_bits_per_s=(rate_bits_per_s,) * count,
        queueing_delay_mean_ms=(p95_ms / 2,) * count,
        queueing_delay_p95_ms=(p95_ms,) * count,
        cwnd_bytes=(120_000,) * count,
        bytes_in_flight=(110_000,) * count,
        pacing_bits_per_s=(25e6,) * count,
    )


def sample_record(plan: RunPlan, outcome: RunResult | RunFailure) -> RunRecord:
    """A run that took a second."""
    result, failure = (outcome, None) if isinstance(outcome, RunResult) else (None, outcome)
    return RunRecord(plan, result, failure, "2026-11-21T12:00:00+00:00", wall_s=1.0)


@dataclass(frozen=True, slots=True)
class SampleMatrix:
    """What a command line comes to."""

    request: MatrixRequest
    conditions: list[Condition]
    runs: list[FinishedRun]


def sample_matrix(line: str, outcome: Callable[[RunPlan], RunResult | RunFailure]) -> SampleMatrix:
    """The runs that these arguments ask for, with the outcome that each is given; keys count from 0."""
    request = parse_options(line.split())
    conditions = expand_matrix(request, [sample_link(choice) for choice in request.links])
    plans = [plan for condition in conditions for plan in (*condition.runs, *condition.references)]
    records = [sample_record(plan, outcome(plan)) for plan in plans]
    return SampleMatrix(request, conditions, [FinishedRun(str(index), record) for index, record in enumerate(records)])
