"""What a scatter is drawn of, from the ground upwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from e2e.laboratory.report.chart import FONT_SIZE, chart_of
from e2e.laboratory.report.frame import Frame
from e2e.laboratory.report.labels import place_labels
from e2e.laboratory.report.series import Series

Floats = NDArray[np.float64]
Row = Mapping[str, Any]

STAR_SCALE = 1.45
"""A star is mostly gaps."""
DOT_RADIUS = 3.0
FILL, MOST_FILLED = 0.1, 5
"""Opacity of an ellipse, and of how many; of more it is less, or they would hide each other."""
TICKS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
"""Where two of them are in sight; else Vega chooses."""
LABEL_GAP = 6
"""Between two of the delay's labels at least: on a phone one is left out rather than read as a part of the next."""


def at(point: Floats) -> str:
    """A point in words."""
    return f"{point[1]:.2f} Mbit/s at {10 ** point[0]:.1f} ms"


def _row(point: Floats, **fields: object) -> Row:
    return {"delay": 10 ** float(point[0]), "throughput": float(point[1]), **fields}


def _plot(rows: Sequence[Row], mark: alt.MarkDef) -> alt.Chart:
    return chart_of(rows, mark).encode(x="delay:Q", y="throughput:Q")


def axes(frame: Frame) -> alt.Chart:
    """Scales and axes, which all other layers share."""
    domain = [10 ** frame.least[0], 10 ** frame.most[0]]
    ticks = [tick for tick in TICKS_MS if domain[0] <= tick <= domain[1]]
    x = alt.X("delay:Q").title("95th percentile of the queueing delay (ms)")
    y = alt.Y("throughput:Q").title("Throughput (Mbit/s)")
    return _plot([_row(np.array(frame.least))], alt.MarkDef("point", color="transparent")).encode(
        x=x.scale(type="log", reverse=True, nice=False, domain=domain).axis(
            values=ticks if len(ticks) > 1 else alt.Undefined,
            format="~r",
            labelFlush=False,
            labelOverlap=True,
            labelSeparation=LABEL_GAP,
        ),
        y=y.scale(zero=False, nice=False, domain=[frame.least[1], frame.most[1]]).axis(tickCount=6),
    )


def capacity(bits_per_s: float) -> alt.Chart:
    """The link's mean capacity as a dashed line."""
    rule = alt.MarkDef("rule", strokeDash=[5, 4], stroke="var(--muted)")
    return chart_of([{"throughput": bits_per_s / 1e6}], rule).encode(y="throughput:Q")


def outlines(series: Sequence[Series], ellipses: Sequence[Floats]) -> alt.Chart:
    """Ellipses: of many the areas are paler, or they would hide each other."""
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


def runs(series: Sequence[Series]) -> alt.Chart:
    """Single runs, small."""
    rows = [
        _row(point, colour=one.colour, text=f"{one.name}, seed {seed}: {at(point)}")
        for one in series
        for point, seed in zip(one.points, one.seeds, strict=True)
    ]
    mark = alt.MarkDef("point", filled=True, size=2 * DOT_RADIUS**2, opacity=0.45, clip=True, aria=True)
    return _plot(rows, mark).encode(color=alt.Color("colour:N", scale=None, legend=None), description="text:N")


def means(series: Sequence[Series], sides: Sequence[float]) -> alt.Chart:
    """Large marks, the larger beneath."""
    larger_beneath = sorted(zip(sides, series, strict=True), key=lambda pair: -pair[0])
    rows = [
        _row(
            one.centre,
            colour=one.colour,
            shape=one.shape,
            size=(side * (STAR_SCALE if one.is_star else 1)) ** 2,
            text=f"{one.name}: {at(one.centre)}",
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


def labels(series: Sequence[Series], sides: Sequence[float], frame: Frame) -> list[alt.Chart]:
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


def direction(frame: Frame) -> alt.Chart:
    """Above the drawing's right end."""
    text = alt.MarkDef("text", align="right", baseline="bottom", text="better \u2197", color="var(--muted)")
    return chart_of([{}], text).encode(x=alt.value(frame.width), y=alt.value(-6))


def axis_break(frame: Frame) -> list[alt.Chart]:
    """Two strokes across the axis near its foot, and a gap between them."""
    paper, line = "var(--paper)", "var(--muted)"
    marks = [
        alt.MarkDef("point", shape="M-1,0.5L1,-0.5L1,0L-1,1Z", fill=paper, stroke=paper, size=170, opacity=1),
        alt.MarkDef("point", shape="M-1,0.5L1,-0.5M-1,1L1,0", fill="transparent", stroke=line, size=170, opacity=1),
    ]
    return [chart_of([{}], mark).encode(x=alt.value(0), y=alt.value(frame.height - 14)) for mark in marks]
