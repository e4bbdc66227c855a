"""How a run's flows shared the link."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from e2e.laboratory.plan import INTERVAL_S, FlowChoice, RunPlan
from e2e.laboratory.result import FlowIntervals, Intervals

JUDGED_S = 30.0
"""Of what several flows got: the last part of the time in which all of them were there."""
SHARE_S = 1
"""Shares over time are counted in bins of this length: within a round trip no two flows get the same."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """Over the last 30 s in which all flows were active."""

    jain: float | None
    """Jain's index; None with a single flow, or without such a time."""
    shares: tuple[float | None, ...]
    """Of each flow: its part of what all got."""


@dataclass(frozen=True, slots=True)
class ShareBin:
    """SHARE_S of a run."""

    time_s: int
    bits_per_s: tuple[float | None, ...]
    """Of each flow; None where it was not active all the time."""
    jain: float | None
    """Over the flows that were active."""


def jain_index(shares: Sequence[float]) -> float | None:
    """Fairness after Jain, Chiu and Hawe (1984): (sum x)^2 / (n sum x^2); None where nobody gets anything.

    1 where all get the same, 1/n where one gets all.
    """
    squares = math.fsum(share * share for share in shares)
    return None if squares == 0 else math.fsum(shares) ** 2 / (len(shares) * squares)


def run_fairness(plan: RunPlan, intervals: Intervals) -> Fairness:
    """Jain's index and shares of a whole run."""
    flows = plan.arm.flows
    to_s = min(_stop_s(flow, plan) for flow in flows)
    from_s = max(*(flow.start_s for flow in flows), to_s - JUDGED_S)
    if len(flows) < 2 or to_s <= from_s:
        return Fairness(None, (None,) * len(flows))
    rates = [_delivered_bits_per_s(flow, from_s, to_s) for flow in intervals.flows]
    total = math.fsum(rates)
    return Fairness(jain_index(rates), tuple(None if total == 0 else rate / total for rate in rates))


def share_bins(plan: RunPlan, intervals: Intervals) -> list[ShareBin]:
    """Second by second."""
    return [_share_bin(plan, intervals, second) for second in range(0, math.floor(plan.duration_s), SHARE_S)]


def _share_bin(plan: RunPlan, intervals: Intervals, from_s: int) -> ShareBin:
    to_s = from_s + SHARE_S
    rates = tuple(
        _delivered_bits_per_s(measured, from_s, to_s)
        if flow.start_s <= from_s and to_s <= _stop_s(flow, plan)
        else None
        for flow, measured in zip(plan.arm.flows, intervals.flows, strict=True)
    )
    active = [rate for rate in rates if rate is not None]
    return ShareBin(from_s, rates, jain_index(active) if len(active) > 1 else None)


def _stop_s(flow: FlowChoice, plan: RunPlan) -> float:
    return plan.duration_s if flow.stop_s is None else flow.stop_s


def _delivered_bits_per_s(flow: FlowIntervals, from_s: float, to_s: float) -> float:
    rates = flow.delivered_bits_per_s[round(from_s / INTERVAL_S) : round(to_s / INTERVAL_S)]
    return fmean(rates) if rates else 0.0
