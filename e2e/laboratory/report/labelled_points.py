"""Points with their names beside them, none of which covers another: for pictures that stand in pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import altair as alt
import numpy as np

from e2e.laboratory.report.chart import FONT_SIZE, chart_of, series_colour
from e2e.laboratory.report.labels import place_labels

MARK_AREA = 80
"""In square pixels."""


@dataclass(frozen=True, slots=True)
class Point:
    """One of them."""

    name: str
    x: float
    y: float
    colour: str
    shape: str = "circle"


@dataclass(frozen=True, slots=True)
class Axis:
    """A direction of the drawing, from its first pixel to its last."""

    title: str
    first: float
    last: float
    is_logarithmic: bool = False
    ticks: Sequence[float] | None = None

    def pixel_of(self, value: float, size: float) -> float:
        """Where a value stands on an axis of this size."""
        first, last = self._scaled(self.first), self._scaled(self.last)
        return size * (self._scaled(value) - first) / (last - first)

    def value_at(self, pixel: float, size: float) -> float:
        """The value that stands there."""
        first, last = self._scaled(self.first), self._scaled(self.last)
        scaled = first + pixel / size * (last - first)
        return math.exp(scaled) if self.is_logarithmic else scaled

    def scale(self, *, is_reversed: bool) -> alt.Scale:
        """Vega's, whose least value is on the left or at the bottom unless it is reversed."""
        kind: dict[str, Any] = {"type": "log"} if self.is_logarithmic else {}
        return alt.Scale(domain=sorted((self.first, self.last)), reverse=is_reversed, nice=False, **kind)

    def axis(self) -> alt.Axis:
        """Vega's."""
        ticks: dict[str, Any] = {} if self.ticks is None else {"format": "~g", "values": list(self.ticks)}
        return alt.Axis(title=self.title, **ticks)

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.is_logarithmic else value


def labelled_points(
    points: Sequence[Point], x: Axis, y: Axis, size: tuple[float, float], *, line: Sequence[Point] = ()
) -> alt.LayerChart | alt.FacetChart:
    """The chart; `y` begins at the top. `size` is the drawing's width and height in pixels.

    A dashed line joins the points of `line`, from left to right.
    """
    width, height = size
    radius = math.sqrt(MARK_AREA / math.pi)
    marks = np.array([(x.pixel_of(point.x, width), y.pixel_of(point.y, height), radius) for point in points])
    names = [point.name for point in points]
    placed = place_labels(names, marks, size, font_size=FONT_SIZE, obstacles=np.empty((0, 3)))
    labels = [
        {"name": name, "x": x.value_at(label.left, width), "y": y.value_at(label.middle, height)}
        for name, label in zip(names, placed, strict=True)
    ]
    across = alt.X("x:Q", scale=x.scale(is_reversed=x.first > x.last), axis=x.axis())
    upwards = alt.Y("y:Q", scale=y.scale(is_reversed=y.first < y.last), axis=y.axis())
    dashes = alt.MarkDef(type="line", stroke=series_colour(1), strokeWidth=1.5, strokeDash=[5, 4])
    mark = alt.MarkDef(type="point", filled=True, opacity=1, size=MARK_AREA, stroke="var(--paper)", strokeWidth=1.5)
    text = alt.MarkDef(type="text", align="left", baseline="middle")
    # around the text, keeps lines off the letters
    halo = alt.MarkDef(**text.to_dict(), stroke="var(--paper)", strokeWidth=3.5, strokeJoin="round")
    return alt.layer(
        *([chart_of([asdict(point) for point in line], dashes).encode(x=across, y=upwards)] if line else ()),
        chart_of([asdict(point) for point in points], mark).encode(
            x=across,
            y=upwards,
            color=alt.Color("colour:N", scale=None, legend=None),
            shape=alt.Shape("shape:N", scale=None, legend=None),
            description="name:N",
        ),
        *(chart_of(labels, each).encode(x=across, y=upwards, text="name:N") for each in (halo, text)),
    ).properties(width=width, height=height)


def span(values: Sequence[float], room: float) -> tuple[float, float]:
    """From below the least to above the largest, by that share of what they span."""
    low, high = min(values), max(values)
    around = room * (high - low or 1.0)
    return low - around, high + around
