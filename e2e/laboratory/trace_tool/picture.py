"""A trace's chart drawn by Altair: SVG, PNG or HTML, by the name of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import altair
import vl_convert

from e2e.laboratory.trace_tool.chart import Chart, Points

WIDTH = 880
HEIGHT = 260
STRIP = 6  # marks of outages along the top
PADDING = {"left": 8, "top": 8, "right": 90, "bottom": 8}  # on the right the lines' names
FINE, COARSE, LINE, OUTAGE = "#9ecae1", "#08519c", "#444", "#cb181d"
LABEL_HEIGHT = 14
PNG_SCALE = 2.0

Specification = dict[str, Any]


def _html(specification: Specification) -> bytes:
    """With all scripts inside, so that the page needs no network."""
    return vl_convert.vegalite_to_html(specification, bundle=True).encode()


WRITERS: Mapping[str, Callable[[Specification], bytes]] = {
    ".svg": lambda specification: vl_convert.vegalite_to_svg(specification).encode(),
    ".png": lambda specification: vl_convert.vegalite_to_png(specification, scale=PNG_SCALE),
    ".html": _html,
}


def draw(chart: Chart, output: Path) -> bytes:
    """The picture; `output` ends in one of WRITERS."""
    return WRITERS[output.suffix](specification(chart))


def specification(chart: Chart) -> Specification:
    """Vega-Lite."""
    layers = altair.layer(*_outages(chart), *_rates(chart), *_figures(chart))
    titled = layers.properties(
        width=WIDTH,
        height=HEIGHT,
        background="white",
        padding=PADDING,
        title=altair.TitleParams(chart.title, subtitle=chart.subtitle, anchor="start", subtitleColor=LINE),
    )
    written: Specification = titled.configure_view(stroke="#ddd").configure_axis(gridColor="#eee").to_dict()
    return written


def _base(rows: list[dict[str, Any]], chart: Chart) -> altair.Chart:
    time = altair.X("time:Q", title="time, s", scale=altair.Scale(domain=[0, chart.end_s], nice=False))
    rate = altair.Y("rate:Q", title="rate, Mbit/s", scale=altair.Scale(zero=True))
    return altair.Chart(altair.InlineData(values=rows)).encode(x=time, y=rate)


def _outages(chart: Chart) -> list[altair.Chart]:
    rows = [{"time": start_s, "until": end_s} for start_s, end_s in chart.outages_s]
    base = _base(rows, chart).encode(x2="until:Q", y=altair.value(0))
    return [
        base.mark_rect(color=OUTAGE, opacity=0.1).encode(y2=altair.value(HEIGHT)),
        base.mark_rect(color=OUTAGE, stroke=OUTAGE, strokeWidth=0.6).encode(y2=altair.value(STRIP)),
    ]


def _rates(chart: Chart) -> list[altair.Chart]:
    """Fine bins behind coarse ones."""
    names = [_bin_name(chart.fine_bin_s), _bin_name(chart.coarse_bin_s)]
    colour = altair.Color(
        "bins:N",
        title=None,
        scale=altair.Scale(domain=names, range=[FINE, COARSE]),
        legend=altair.Legend(orient="bottom", symbolType="stroke", symbolStrokeWidth=3),
    )

    def line(points: Points, name: str, width: float) -> altair.Chart:
        rows = [{"time": time_s, "rate": rate, "bins": name} for time_s, rate in points]
        steps = _base(rows, chart).mark_line(interpolate="step-after", strokeWidth=width)
        coloured: altair.Chart = steps.encode(color=colour)
        return coloured

    return [line(chart.fine, names[0], 0.8), line(chart.coarse, names[1], 1.6)]


def _figures(chart: Chart) -> list[altair.Chart]:
    """Mean and percentiles, across and named on the right."""
    lines = sorted([("p5", chart.p5, [4, 3]), ("mean", chart.mean, []), ("p95", chart.p95, [4, 3])], key=lambda x: x[1])
    rules = [
        _base([{"rate": rate}], chart)
        .mark_rule(color=LINE, strokeDash=dash)
        .encode(x=altair.value(0), x2=altair.value(WIDTH))
        for _, rate, dash in lines
    ]
    names = (
        _base(labels(chart, {name: rate for name, rate, _ in lines}), chart)
        .mark_text(align="left", baseline="middle", dx=6, color=LINE)
        .encode(text="text:N")
    )
    return [*rules, names]


def labels(chart: Chart, rates: Mapping[str, float]) -> list[dict[str, Any]]:
    """Names of lines, from the lowest on, moved up where they would lie on each other."""
    least_mbit = max(rate for _, rate in chart.fine) * LABEL_HEIGHT / HEIGHT
    below_mbit = -least_mbit
    rows = []
    for name, rate in rates.items():
        below_mbit = max(rate, below_mbit + least_mbit)
        rows.append({"text": f"{name} {rate:.3g}", "time": chart.end_s, "rate": below_mbit})
    return rows


def _bin_name(seconds: float) -> str:
    return f"means of {seconds:.3g} s"
