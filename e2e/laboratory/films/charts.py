"""The charts of a matrix of films: stalls against quality, how films are spread, and one film over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from markupsafe import Markup

from e2e.laboratory.films.comparison import Arm, FilmsOfArms, Meeting, Seen, interval_over
from e2e.laboratory.report.chart import chart_of, series_colour, series_dash, series_shape, svg

WIDTH, HEIGHT = 640.0, 320.0
QUALITY = "QoE_lin per segment"
STALLED = "Time stalled (%)"


def quality_and_stalls(films: FilmsOfArms) -> Markup:
    """Each arm's means with their 95 % intervals, as Puffer shows them (Yan et al., NSDI 2020, figure 1)."""
    rows = [row for number, (arm, met) in enumerate(films.items()) if (row := _point(number, arm, met))]
    stalls = alt.X("stalled:Q", scale=alt.Scale(reverse=True, zero=False, nice=True), axis=alt.Axis(title=STALLED))
    quality = alt.Y("qoe:Q", scale=alt.Scale(zero=False), axis=alt.Axis(title=QUALITY))
    colour = alt.Color("colour:N", scale=None, legend=None)
    points = chart_of(rows, alt.MarkDef(type="point", filled=True, opacity=1, size=80)).encode(
        x=stalls,
        y=quality,
        color=colour,
        shape=alt.Shape("shape:N", scale=None, legend=None),
        description="name:N",
    )
    bars = chart_of([row for row in rows if "qoe_low" in row], alt.MarkDef(type="rule"))
    layers = (
        bars.encode(x=stalls, y="qoe_low:Q", y2="qoe_high:Q", color=colour),
        bars.encode(x="stalled_low:Q", x2="stalled_high:Q", y=quality, color=colour),
        points,
    )
    said = "; ".join(f"{row['name']}: {row['qoe']:.2f} with {row['stalled']:.2f} % stalled" for row in rows)
    return svg(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT), f"Quality against stalls: {said}.")


def spread(films: FilmsOfArms, what: str) -> Markup:
    """Which share of an arm's films has as much or less; `what` is QUALITY or STALLED."""
    rows = []
    for number, met in enumerate(films.values()):
        values = sorted(seen.qoe_per_segment if what == QUALITY else 100 * seen.stalled_ratio for seen in met.values())
        arm = {"arm": number, "colour": series_colour(number), "dash": series_dash(number)}
        steps = enumerate([values[0], *values])  # from none of them on, or a single film would be no line
        rows += [{"value": value, "share": place / len(values), **arm} for place, value in steps]
    chart = chart_of(rows, alt.MarkDef(type="line", interpolate="step-after")).encode(
        x=alt.X("value:Q", scale=alt.Scale(zero=False), axis=alt.Axis(title=what)),
        y=alt.Y("share:Q", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(title="Share of films", format=".0%")),
        color=alt.Color("colour:N", scale=None, legend=None),
        strokeDash=alt.StrokeDash("dash:N", scale=None, legend=None),
        detail="arm:N",
        order="share:Q",
    )
    return svg(chart.properties(width=WIDTH, height=HEIGHT * 0.7), f"{what}: share of films with as much or less")


def film_over_time(name: str, seconds: Sequence[Mapping[str, Any]]) -> Markup:
    """The link's capacity, the bitrate that is shown, and the buffer; rows of `seconds.parquet`."""
    rates = [
        {"at_s": row["at_s"], "rate": row[column] / 1e6, "colour": colour}
        for column, colour in (("capacity_bits_per_s", "var(--line)"), ("bitrate_bits_per_s", series_colour(0)))
        for row in seconds
        if row[column] is not None
    ]
    time = alt.X("at_s:Q", axis=alt.Axis(title="Time (s)"))
    top = chart_of(rates, alt.MarkDef(type="line", interpolate="step-after")).encode(
        x=time,
        y=alt.Y("rate:Q", axis=alt.Axis(title="Mbit/s", minExtent=40)),
        color=alt.Color("colour:N", scale=None, legend=None),
    )
    buffers = [{"at_s": row["at_s"], "buffer_s": row["buffer_s"]} for row in seconds]
    bottom = chart_of(buffers, alt.MarkDef(type="area", color=series_colour(2), opacity=0.5)).encode(
        x=time, y=alt.Y("buffer_s:Q", axis=alt.Axis(title="Buffer (s)", minExtent=40))
    )
    chart = alt.vconcat(
        top.properties(width=WIDTH, height=HEIGHT * 0.5), bottom.properties(width=WIDTH, height=HEIGHT * 0.3)
    )
    return svg(chart, f"{name}: bitrate beside the link's capacity, and the buffer, over time")


def _point(number: int, arm: Arm, met: Mapping[Meeting, Seen]) -> dict[str, object] | None:
    qoe = interval_over({key: seen.qoe_per_segment for key, seen in met.items()})
    stalled = interval_over({key: 100 * seen.stalled_ratio for key, seen in met.items()}, least=0.0, most=100.0)
    if qoe is None or stalled is None:
        return None
    row: dict[str, object] = {
        "name": ", ".join(arm),
        "qoe": qoe.value,
        "stalled": stalled.value,
        "colour": series_colour(number),
        "shape": series_shape(number),
    }
    if qoe.has_enough_groups:
        row |= {"qoe_low": qoe.low, "qoe_high": qoe.high, "stalled_low": stalled.low, "stalled_high": stalled.high}
    return row
