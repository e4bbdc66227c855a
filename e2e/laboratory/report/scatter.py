"""Throughput against p95 queueing delay, as in the papers: delays fall to the right, so that better is up and right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
from markupsafe import Markup

from e2e.laboratory.report import scatter_layers as layers
from e2e.laboratory.report.chart import svg
from e2e.laboratory.report.frame import frame_of
from e2e.laboratory.report.series import Series, nested_sides


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
        layers.axes(frame),
        *(layers.axis_break(frame) if frame.least[1] > 0 else ()),
        layers.direction(frame),
        *([layers.capacity(capacity_bits_per_s)] if has_capacity else ()),
        layers.outlines(series, ellipses),
        layers.runs(series),
        layers.means(series, sides),
        *layers.labels(series, sides, frame),
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
        "large marks are means (of delays geometric ones), small ones single runs": any(
            each.has_runs for each in drawings
        ),
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


def _description(series: Sequence[Series]) -> str:
    parts = "; ".join(f"{one.name} {layers.at(one.centre)}" for one in series)
    return f"Throughput against the 95th percentile of the queueing delay: {parts}."
