"""What the runs of a condition come to, arm by arm and flow by flow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from e2e.laboratory.condition import Condition
from e2e.laboratory.plan import Arm, FlowChoice, RunPlan
from e2e.laboratory.record import FindRun
from e2e.laboratory.statistics.fairness import run_fairness
from e2e.laboratory.statistics.intervals import change_of_delays, change_of_means
from e2e.laboratory.statistics.run_figures import RunFigures, loss_ratio, run_figures
from models.evaluation.resampling import Interval
from models.evaluation.student import mean_interval

Quantity = Literal[
    "throughput_bits_per_s",
    "utilisation",
    "delay_mean_ms",
    "delay_p95_ms",
    "loss_ratio",
    "jain",
    "qoe_per_segment",
    "bitrate_bits_per_s",
    "stalled_s",
]
Compared = Literal["throughput_bits_per_s", "delay_p95_ms"]
SHARES = {"utilisation", "loss_ratio", "jain"}
"""Quantities that are 1 at most. All but QoE are 0 at least."""


@dataclass(frozen=True, slots=True)
class ArmSummary:
    """An arm's runs, in the order of their seeds."""

    arm: Arm
    runs: tuple[RunFigures, ...]
    partners: tuple[RunFigures, ...] | None
    """The baseline's with the same seeds; None for the baseline itself."""

    @property
    def finished(self) -> int:
        """How many of the runs did not fail."""
        return sum(run.failure is None for run in self.runs)

    def mean(self, quantity: Quantity) -> Interval | None:
        """Over the runs that have it."""
        values = [value for value in _values(self.runs, quantity) if value is not None]
        least = -math.inf if quantity == "qoe_per_segment" else 0.0
        return mean_interval(values, least=least, most=1.0 if quantity in SHARES else math.inf)

    def against_baseline(self, quantity: Compared) -> Interval | None:
        """How much more than the baseline with the same seed, as a share of it: never less by more than all."""
        if self.partners is None:
            return None
        change = change_of_delays if quantity == "delay_p95_ms" else change_of_means
        return change(_values(self.runs, quantity), _values(self.partners, quantity))


@dataclass(frozen=True, slots=True)
class FlowSummary:
    """One flow of an arm, in the mean of its runs."""

    arm: Arm
    index: int
    throughput_bits_per_s: Interval | None
    """While it was active."""
    share: Interval | None
    """Of what all received in the last 30 s in which all were active."""
    delay_p95_ms: Interval | None
    loss_ratio: Interval | None

    @property
    def flow(self) -> FlowChoice:
        """As it was planned."""
        return self.arm.flows[self.index]


def summarise_arms(condition: Condition, find: FindRun) -> list[ArmSummary]:
    """In the order of the condition's arms."""
    figures = {arm.name: _figures(condition.runs_of(arm), find) for arm in condition.arms}
    partners = figures[condition.baseline.name]
    return [
        ArmSummary(arm, figures[arm.name], None if arm == condition.baseline else partners) for arm in condition.arms
    ]


def summarise_reference(condition: Condition, find: FindRun) -> ArmSummary | None:
    """What a sender that knows the link gets; None where an arm is that sender."""
    plans = condition.references
    return ArmSummary(plans[0].arm, _figures(plans, find), None) if plans else None


def summarise_flows(arm: Arm, plans: Iterable[RunPlan], find: FindRun) -> list[FlowSummary]:
    """Over the runs that finished."""
    results = [(plan, result) for plan in plans if (result := find(plan).record.result) is not None]
    shares = [run_fairness(plan, result.intervals).shares for plan, result in results]

    def of_flow(index: int) -> FlowSummary:
        flows = [result.flows[index] for _, result in results]
        delays = [flow.queueing_delay.p95_ms for flow in flows if flow.queueing_delay is not None]
        return FlowSummary(
            arm=arm,
            index=index,
            throughput_bits_per_s=mean_interval([flow.throughput_bits_per_s for flow in flows], least=0.0),
            share=_share_interval([each[index] for each in shares]),
            delay_p95_ms=mean_interval(delays, least=0.0),
            loss_ratio=_share_interval([loss_ratio([flow]) for flow in flows]),
        )

    return [of_flow(index) for index in range(len(arm.flows))]


def _figures(plans: Iterable[RunPlan], find: FindRun) -> tuple[RunFigures, ...]:
    return tuple(run_figures(find(plan)) for plan in plans)


def _values(runs: Sequence[RunFigures], quantity: Quantity) -> list[float | None]:
    return [getattr(run, quantity) for run in runs]


def _share_interval(shares: Sequence[float | None]) -> Interval | None:
    return mean_interval([share for share in shares if share is not None], least=0.0, most=1.0)
