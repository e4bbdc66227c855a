"""Throughput against p95 queueing delay, as in the papers: delays fall to the right, so that better is up and right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from e2e.laboratory.report.chart import FONT_SIZE, chart_of, svg
from e2e.laboratory.report.frame import Frame, frame_of
from e2e.laboratory.report.labels import place_labels
from e2e.laboratory.report.series import Series, nested_sides

Floats = NDArray[np.float64]
Row = Mapping[str, Any]

STAR_SCALE = 1.45
"""A star is mostly gaps."""
DOT_RADIUS = 3.0
FILL, MOST_FILLED = 0.1, 5
"""Opacity of an ellipse, and of how many; of more it is less, or they would hide each other."""
TICKS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
"""Where two of them are in sight; else Vega chooses."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """A drawing, and what it shows besides the schemes' marks."""

    svg: Markup
    has_runs: bool
    has_ellipses: bool
    has_star: bool
    has_capacity: bool
    has_nested_marks: bool
    begins_at: float
    """Of the throughput's axis, Mbit/s."""


def scatter(series: Sequence[Series], capacity_bits_per_s: float, *, width: float, height: float) -> Scatter:
    """The chart of at least one series, of this size without its axes."""
    ellipses = [one.ellipse for one in series]
    points = np.vstack([one.points for one in series])
    frame = frame_of(points, np.vstack(ellipses), width=width, height=height)
    sides = nested_sides(frame.to_pixels(np.stack([one.centre for one in series])))
    has_capacity = capacity_bits_per_s / 1e6 <= frame.most[1]
    chart = alt.layer(
        _axes(frame),
        *(_axis_break(frame) if frame.least[1] > 0 else ()),
        _direction(frame),
        *([_capacity(capacity_bits_per_s)] if has_capacity else ()),
        _outlines(series, ellipses),
        _runs(series),
        _means(series, sides),
        *_labels(series, sides, frame),
    ).resolve_scale(
        color="independent", fill="independent", stroke="independent", shape="independent", size="independent"
    )
    return Scatter(
        svg=svg(chart.properties(width=width, height=height), _description(series)),
        has_runs=any(len(one.points) > 1 for one in series),
        has_ellipses=any(len(outline) > 0 for outline in ellipses),
        has_star=any(one.is_star for one in series),
        has_capacity=has_capacity,
        has_nested_marks=len(set(sides)) > 1,
        begins_at=frame.least[1],
    )


def scatter_caption(drawings: Sequence[Scatter]) -> str:
    """Explains what is drawn, and nothing else; drawings of one scatter in several sizes have one caption."""
    marks = {
        "large marks are means, small ones single runs": any(each.has_runs for each in drawings),
        "marks in one place lie in one another": any(each.has_nested_marks for each in drawings),
        "ellipses hold the mean with 95 % confidence": any(each.has_ellipses for each in drawings),
        "the star is a sender that knows the link": any(each.has_star for each in drawings),
        "the dashed line is the link's mean capacity": any(each.has_capacity for each in drawings),
    }
    shown = ", ".join(text for text, is_there in marks.items() if is_there)
    begins_at = max(each.begins_at for each in drawings)
    sentences = [
        "Throughput against the 95th percentile of the queueing delay, which falls to the right: "
        "better is up and right.",
        f"{shown[:1].upper()}{shown[1:]}." if shown else "",
        "Each run's throughput is scaled to the link's mean capacity.",
        f"The throughput's axis is broken: it begins at {begins_at:.1f}, not at 0." if begins_at > 0 else "",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _row(point: Floats, **fields: object) -> Row:
    return {"delay": 10 ** float(point[0]), "throughput": float(point[1]), **fields}


def _plot(rows: Sequence[Row], mark: alt.MarkDef) -> alt.Chart:
    return chart_of(rows, mark).encode(x="delay:Q", y="throughput:Q")


def _axes(frame: Frame) -> alt.Chart:
    """Scales and axes, which all other layers share."""
    domain = [10 ** frame.least[0], 10 ** frame.most[0]]
    ticks = [tick for tick in TICKS_MS if domain[0] <= tick <= domain[1]]
    x = alt.X("delay:Q").title("95th percentile of the queueing delay (ms)")
    y = alt.Y("throughput:Q").title("Throughput (Mbit/s)")
    return _plot([_row(np.array(frame.least))], alt.MarkDef("point", color="transparent")).encode(
        x=x.scale(type="log", reverse=True, nice=False, domain=domain).axis(
            values=ticks if len(ticks) > 1 else alt.Undefined, format="~r", labelFlush=False, labelOverlap=True
        ),
        y=y.scale(zero=False, nice=False, domain=[frame.least[1], frame.most[1]]).axis(tickCount=6),
    )


def _capacity(bits_per_s: float) -> alt.Chart:
    rule = alt.MarkDef("rule", strokeDash=[5, 4], stroke="var(--muted)")
    return chart_of([{"throughput": bits_per_s / 1e6}], rule).encode(y="throughput:Q")


def _outlines(series: Sequence[Series], ellipses: Sequence[Floats]) -> alt.Chart:
    rows = [
        _row(point, name=one.name, colour=one.colour, order=order)
        for one, outline in zip(series, ellipses, strict=True)
        for order, point in enumerate(outline)
    ]
    fill = FILL / max(1, len(series) - MOST_FILLED)
    mark = alt.MarkDef("line", interpolate="linear-closed", strokeWidth=1.25, fillOpacity=fill, clip=True)
    return _plot(rows, mark).encode(
        order="order:Q",
        detail="name:N",
        stroke=alt.Stroke("colour:N", scale=None, legend=None),
        fill=alt.Fill("colour:N", scale=None, legend=None),
    )


def _runs(series: Sequence[Series]) -> alt.Chart:
    rows = [
        _row(point, colour=one.colour, text=f"{one.name}, seed {seed}: {_at(point)}")
        for one in series
        for point, seed in zip(one.points, one.seeds, strict=True)
    ]
    mark = alt.MarkDef("point", filled=True, size=2 * DOT_RADIUS**2, opacity=0.45, clip=True, aria=True)
    return _plot(rows, mark).encode(color=alt.Color("colour:N", scale=None, legend=None), description="text:N")


def _means(series: Sequence[Series], sides: Sequence[float]) -> alt.Chart:
    larger_beneath = sorted(zip(sides, series, strict=True), key=lambda pair: -pair[0])
    rows = [
        _row(
            one.centre,
            colour=one.colour,
            shape=one.shape,
            size=(side * (STAR_SCALE if one.is_star else 1)) ** 2,
            text=f"{one.name}: {_at(one.centre)}",
        )
        for side, one in larger_beneath
    ]
    mark = alt.MarkDef("point", filled=True, opacity=1, stroke="var(--paper)", strokeWidth=1.5, aria=True)
    return _plot(rows, mark).encode(
        fill=alt.Fill("colour:N", scale=None, legend=None),
        shape=alt.Shape("shape:N", scale=None, legend=None),
        size=alt.Size("size:Q", scale=None, legend=None),
        description="text:N",
    )


def _labels(series: Sequence[Series], sides: Sequence[float], frame: Frame) -> list[alt.Chart]:
    """Texts beside the means, on a halo that keeps lines off the letters, and lines to those that are far."""
    centres = frame.to_pixels(np.stack([one.centre for one in series]))
    dots = frame.to_pixels(np.vstack([one.points for one in series]))
    labels = place_labels(
        [one.name for one in series],
        np.hstack([centres, np.array(sides)[:, None] / 2]),
        (frame.width, frame.height),
        font_size=FONT_SIZE,
        obstacles=np.hstack([dots, np.full((len(dots), 1), DOT_RADIUS)]),
    )
    texts = [
        _row(frame.from_pixels(np.array([label.left, label.middle])), name=one.name)
        for one, label in zip(series, labels, strict=True)
    ]
    lines = []
    for centre, one, label in zip(centres, series, labels, strict=True):
        if label.is_led:
            near = min((label.left, (label.left + label.right) / 2, label.right), key=lambda x: abs(x - centre[0]))
            end = frame.from_pixels(np.array([near, label.middle]))
            lines.append(_row(one.centre, delay2=10 ** float(end[0]), throughput2=float(end[1])))
    lead = alt.MarkDef("rule", stroke="var(--ink)", strokeWidth=1)
    text = alt.MarkDef("text", align="left", baseline="middle")
    halo = alt.MarkDef("text", align="left", baseline="middle", stroke="var(--paper)", strokeWidth=3.5)
    return [
        _plot(lines, lead).encode(x2="delay2:Q", y2="throughput2:Q"),
        _plot(texts, halo).encode(text="name:N"),
        _plot(texts, text).encode(text="name:N"),
    ]


def _direction(frame: Frame) -> alt.Chart:
    """Above the drawing's right end."""
    text = alt.MarkDef("text", align="right", baseline="bottom", text="better \u2197", color="var(--muted)")
    return chart_of([{}], text).encode(x=alt.value(frame.width), y=alt.value(-6))


def _axis_break(frame: Frame) -> list[alt.Chart]:
    """Two strokes across the axis near its foot, and a gap between them."""
    paper, line = "var(--paper)", "var(--muted)"
    marks = [
        alt.MarkDef("point", shape="M-1,0.5L1,-0.5L1,0L-1,1Z", fill=paper, stroke=paper, size=170, opacity=1),
        alt.MarkDef("point", shape="M-1,0.5L1,-0.5M-1,1L1,0", fill="transparent", stroke=line, size=170, opacity=1),
    ]
    return [chart_of([{}], mark).encode(x=alt.value(0), y=alt.value(frame.height - 14)) for mark in marks]


def _description(series: Sequence[Series]) -> str:
    parts = "; ".join(f"{one.name} {_at(one.centre)}" for one in series)
    return f"Throughput against the 95th percentile of the queueing delay: {parts}."


def _at(point: Floats) -> str:
    return f"{point[1]:.2f} Mbit/s at {10 ** point[0]:.1f} ms"
