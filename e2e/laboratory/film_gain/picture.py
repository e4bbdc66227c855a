"""Stalls against quality, a point an arm, as Puffer shows them (Yan et al., NSDI 2020, figure 1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

import altair as alt
import numpy as np
from markupsafe import Markup

from cc.registry import scheme
from e2e.laboratory.film_gain.arms import OURS, RIVAL_RULES, rivals, with_our_rule
from e2e.laboratory.film_gain.figures import best_of
from e2e.laboratory.films.charts import HEIGHT, QUALITY, STALLED, WIDTH
from e2e.laboratory.films.comparison import Arm, FilmsOfArms
from e2e.laboratory.report.chart import FONT_SIZE, chart_of, series_colour, standalone, svg
from e2e.laboratory.report.labels import place_labels

MARK_AREA = 80
"""In square pixels."""
ROOM = 0.12
"""Around the outermost points, of what they span."""


@dataclass(frozen=True, slots=True)
class Point:
    """An arm's means."""

    name: str
    stalled: float
    qoe: float
    colour: str


def write_picture(file: Path, films: FilmsOfArms) -> None:
    """For other pages. Raises OSError."""
    file.write_text(standalone(picture(films)), encoding="utf-8")


def picture(films: FilmsOfArms) -> Markup:
    """Ours, and each rule with the sender-side scheme under which it earns most."""
    points = [_point(with_our_rule(name), films) for name in OURS]
    for rule in RIVAL_RULES:
        of_rule = {arm: films[arm] for arm in rivals() if arm[1] == rule}
        points.append(_point(best_of(of_rule, lambda seen: seen.qoe_per_segment), films))
    most, (least_qoe, most_qoe) = _most([point.stalled for point in points]), _span([point.qoe for point in points])
    stalled = alt.X(
        "stalled:Q", scale=alt.Scale(domain=[0, most], reverse=True, nice=False), axis=alt.Axis(title=STALLED)
    )
    quality = alt.Y("qoe:Q", scale=alt.Scale(domain=[least_qoe, most_qoe], nice=False), axis=alt.Axis(title=QUALITY))
    marks = np.array(
        [
            (
                (most - point.stalled) / most * WIDTH,
                (most_qoe - point.qoe) / (most_qoe - least_qoe) * HEIGHT,
                math.sqrt(MARK_AREA / math.pi),
            )
            for point in points
        ]
    )
    placed = place_labels(
        [point.name for point in points], marks, (WIDTH, HEIGHT), font_size=FONT_SIZE, obstacles=np.empty((0, 3))
    )
    names = [
        {
            "name": point.name,
            "stalled": most - label.left / WIDTH * most,
            "qoe": most_qoe - label.middle / HEIGHT * (most_qoe - least_qoe),
        }
        for point, label in zip(points, placed, strict=True)
    ]
    chart = alt.layer(
        chart_of([asdict(point) for point in points], alt.MarkDef(type="point", filled=True, size=MARK_AREA)).encode(
            x=stalled, y=quality, color=alt.Color("colour:N", scale=None, legend=None), description="name:N"
        ),
        chart_of(names, alt.MarkDef(type="text", align="left", baseline="middle")).encode(
            x=stalled, y=quality, text="name:N"
        ),
    ).properties(width=WIDTH, height=HEIGHT)
    said = "; ".join(f"{point.name}: {point.qoe:.2f} with {point.stalled:.2f} % stalled" for point in points)
    return svg(chart, f"Quality against stalls: {said}.")


def _point(arm: Arm, films: FilmsOfArms) -> Point:
    seen, is_ours = list(films[arm].values()), arm[0] in OURS
    title = scheme(arm[0]).title
    return Point(
        f"{title}, NuwaRule" if is_ours else f"{title}, {arm[1]}",
        fmean(100 * one.stalled_ratio for one in seen),
        fmean(one.qoe_per_segment for one in seen),
        series_colour(0 if is_ours else 1),
    )


def _most(stalled: Sequence[float]) -> float:
    return (1 + ROOM) * max(stalled) or 1.0


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = ROOM * (high - low or 1.0)
    return low - room, high + room
