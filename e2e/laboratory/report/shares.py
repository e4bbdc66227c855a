"""How several flows shared the link in one run: each one's part of what all got, and Jain's index."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
from markupsafe import Markup

from e2e.laboratory.report.chart import chart_of, svg
from e2e.laboratory.report.over_time import AXIS_WIDTH, WIDTH
from e2e.laboratory.statistics.fairness import SHARE_S, ShareBin

SEAM = 0.03
"""By this part of themselves bins overlap, or the paper would shine through between them."""


def shares_chart(name: str, bins: Sequence[ShareBin], colours: Sequence[str]) -> Markup:
    """Of the run of the arm with this name; a colour a flow."""
    x = alt.X("from:Q").scale(domain=[0, len(bins) * SHARE_S], nice=False)
    whole, ticks = alt.Scale(domain=[0, 1], nice=False), [0, 0.5, 1]
    areas = chart_of([row for each in bins for row in _rows(each, colours)], alt.MarkDef("rect", stroke=None)).encode(
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


def _rows(each: ShareBin, colours: Sequence[str]) -> list[dict[str, object]]:
    total = sum(rate or 0.0 for rate in each.bits_per_s)
    rows: list[dict[str, object]] = []
    lower = 0.0
    for rate, colour in zip(each.bits_per_s, colours, strict=True):
        upper = lower + (0.0 if total == 0 else (rate or 0.0) / total)
        end_s = each.time_s + SHARE_S * (1 + SEAM)
        rows.append({"from": each.time_s, "to": end_s, "lower": lower, "upper": upper, "colour": colour})
        lower = upper
    return rows
