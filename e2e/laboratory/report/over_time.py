"""One run over time: what was delivered beneath the link's capacity, the queueing delay, and how flows share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import altair as alt
from markupsafe import Markup

from e2e.laboratory.plan import INTERVAL_S, FlowChoice, RunPlan
from e2e.laboratory.report.chart import chart_of, svg
from e2e.laboratory.report.frame import LEAST_DELAY_MS
from e2e.laboratory.result import Intervals
from e2e.laboratory.statistics.fairness import SHARE_S, ShareBin

WIDTH = 300
MOST_BINS = 150
AXIS_WIDTH = 34
DELAY_TICKS_MS = (1, 10, 100, 1000, 10_000)

Binned = list[float | None]
SEAM = 0.03
"""By this part of themselves bins overlap, or the paper would shine through between them."""


@dataclass(frozen=True, slots=True)
class Bins:
    """A run in at most MOST_BINS stretches, each the mean of whole intervals."""

    time_s: list[float]
    capacity_bits_per_s: Binned
    delivered_bits_per_s: list[Binned]
    """Of each flow."""
    delay_ms: list[Binned]
    """Of each flow."""

    @property
    def most_bits_per_s(self) -> float:
        """The largest rate."""
        return max(rate or 0.0 for rates in (self.capacity_bits_per_s, *self.delivered_bits_per_s) for rate in rates)

    @property
    def most_delay_ms(self) -> float:
        """The largest delay."""
        return max((delay or 0.0 for delays in self.delay_ms for delay in delays), default=0.0)


def bins_of(intervals: Intervals, duration_s: float) -> Bins:
    """Of whole stretches; what is left over is not shown."""
    size = max(1, math.ceil(duration_s / INTERVAL_S / MOST_BINS))
    count = len(intervals.capacity_bits_per_s) // size

    def means(values: Sequence[float | None]) -> Binned:
        stretches = (values[index * size : (index + 1) * size] for index in range(count))
        known = ([value for value in stretch if value is not None] for stretch in stretches)
        return [fmean(values) if values else None for values in known]

    return Bins(
        time_s=[index * size * INTERVAL_S for index in range(count)],
        capacity_bits_per_s=means(intervals.capacity_bits_per_s),
        delivered_bits_per_s=[means(flow.delivered_bits_per_s) for flow in intervals.flows],
        delay_ms=[means(flow.queueing_delay_mean_ms) for flow in intervals.flows],
    )


def over_time(plan: RunPlan, bins: Bins, colours: Sequence[str], *, beside: Sequence[Bins]) -> Markup:
    """A run's chart, with room for all runs that stand beside it; a colour a flow."""
    most_mbit_per_s = max(each.most_bits_per_s for each in beside) / 1e6
    most_delay_ms = max(10.0, *(each.most_delay_ms for each in beside))
    rows = [
        _row(flow, number, time_s, rate_bits_per_s, delay_ms, colours)
        for number, flow in enumerate(plan.arm.flows)
        for time_s, rate_bits_per_s, delay_ms in zip(
            bins.time_s, bins.delivered_bits_per_s[number], bins.delay_ms[number], strict=True
        )
    ]
    x = alt.X("time:Q").scale(domain=[0, plan.duration_s], nice=False)
    unlabelled = x.title(None).axis(grid=False, tickCount=6, labels=False, ticks=False)
    mark = alt.MarkDef("line", invalid="break-paths-filter-domains")
    line = chart_of(rows, mark).encode(color=alt.Color("colour:N", scale=None, legend=None), detail="flow:N")
    rate = alt.Y("rate:Q", stack=None).title("Mbit/s").scale(domain=[0, most_mbit_per_s])
    delay = alt.Y("delay:Q").title("Delay (ms)").scale(type="log", domain=[LEAST_DELAY_MS, most_delay_ms], nice=False)
    upper = alt.layer(_capacity(bins), line).encode(x=unlabelled, y=rate.axis(tickCount=4, minExtent=AXIS_WIDTH))
    lower = line.encode(
        x=x.title("Time (s)").axis(grid=False, tickCount=6),
        y=delay.axis(values=DELAY_TICKS_MS, format="~r", minExtent=AXIS_WIDTH),
    )
    chart = alt.vconcat(upper.properties(width=WIDTH, height=110), lower.properties(width=WIDTH, height=70), spacing=8)
    return svg(chart, f"{plan.arm.name} over time: rate beneath the link's capacity, and queueing delay")


def _capacity(bins: Bins) -> alt.Chart:
    rows = [
        {"time": time_s, "rate": (rate or 0.0) / 1e6}
        for time_s, rate in zip(bins.time_s, bins.capacity_bits_per_s, strict=True)
    ]
    return chart_of(rows, alt.MarkDef("area", interpolate="step-after", color="var(--capacity)", line=False))


def _row(
    flow: FlowChoice,
    number: int,
    time_s: float,
    rate_bits_per_s: float | None,
    delay_ms: float | None,
    colours: Sequence[str],
) -> dict[str, object]:
    is_there = flow.start_s <= time_s < (math.inf if flow.stop_s is None else flow.stop_s)
    return {
        "time": time_s,
        "flow": number,
        "colour": colours[number],
        "rate": (rate_bits_per_s or 0.0) / 1e6 if is_there else None,
        "delay": None if delay_ms is None else max(LEAST_DELAY_MS, delay_ms),
    }


def shares_chart(name: str, bins: Sequence[ShareBin], colours: Sequence[str]) -> Markup:
    """Of the run of the arm with this name; a colour a flow."""
    x = alt.X("from:Q").scale(domain=[0, len(bins) * SHARE_S], nice=False)
    whole, ticks = alt.Scale(domain=[0, 1], nice=False), [0, 0.5, 1]
    areas = chart_of(
        [row for each in bins for row in _share_rows(each, colours)], alt.MarkDef("rect", stroke=None)
    ).encode(
        x=x.title(None).axis(grid=False, tickCount=6, labels=False, ticks=False),
        x2="to:Q",
        y=alt.Y("lower:Q").title("Share").scale(whole).axis(values=ticks, minExtent=AXIS_WIDTH, format=".0%"),
        y2="upper:Q",
        color=alt.Color("colour:N", scale=None, legend=None),
    )
    line = alt.MarkDef("line", color="var(--ink)", invalid="break-paths-filter-domains")
    index = chart_of([{"from": each.time_s + SHARE_S / 2, "jain": each.jain} for each in bins], line).encode(
        x=x.title("Time (s)").axis(grid=False, tickCount=6),
        y=alt.Y("jain:Q").title("Jain").scale(whole).axis(values=ticks, minExtent=AXIS_WIDTH),
    )
    chart = alt.vconcat(areas.properties(width=WIDTH, height=90), index.properties(width=WIDTH, height=60), spacing=8)
    return svg(chart, f"{name}: share of each flow over time, and Jain's index")


def _share_rows(each: ShareBin, colours: Sequence[str]) -> list[dict[str, object]]:
    total = sum(rate or 0.0 for rate in each.bits_per_s)
    rows: list[dict[str, object]] = []
    lower = 0.0
    for rate, colour in zip(each.bits_per_s, colours, strict=True):
        upper = lower + (0.0 if total == 0 else (rate or 0.0) / total)
        end_s = each.time_s + SHARE_S * (1 + SEAM)
        rows.append({"from": each.time_s, "to": end_s, "lower": lower, "upper": upper, "colour": colour})
        lower = upper
    return rows
