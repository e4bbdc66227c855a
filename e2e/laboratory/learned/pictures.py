"""Pictures of policies beside what they are compared with."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import altair as alt
import numpy as np

from e2e.laboratory.learned.groups import Group, Row
from e2e.laboratory.report.chart import FONT_SIZE, series_colour, series_shape
from e2e.laboratory.report.labels import place_labels

WIDTH = 330
"""Of a picture with its axes, in pixels; several stand beside each other."""
POLICY, RIVAL = series_colour(0), series_colour(1)
PAPER, INK = "var(--paper)", "var(--ink)"
MARK_AREA = 90
"""Of a mark of the front, in square pixels."""

FRONT_SIZE = (WIDTH - 55.0, 230.0)

Values = list[dict[str, object]]
Domain = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart under its title."""

    title: str
    chart: alt.TopLevelMixin
    description: str
    """For those who do not see it."""


@dataclass(frozen=True, slots=True)
class Gallery:
    """Pictures beside each other, and what is to be seen in them."""

    pictures: tuple[Picture, ...]
    caption: str
    legend: tuple[str, ...] = ()
    """Names of the series, in the order of their colours; empty where the pictures say them."""


def intervals(group: Group) -> Picture:
    """Differences of rewards as intervals around zero, a line a rival; of too few traces only as points."""
    values = [
        {
            "rival": _shortened(each.rival),
            "value": each.interval.value,
            "low": each.interval.low if each.interval.has_enough_groups else each.interval.value,
            "high": each.interval.high if each.interval.has_enough_groups else each.interval.value,
            "fill": POLICY if each.is_to_be_beaten else PAPER,
        }
        for each in group.differences
    ]
    axis = alt.Axis(domain=False, ticks=False, labelPadding=8, labelLimit=130)
    rival = alt.Y("rival:N", sort=None, title=None, axis=axis)
    scale = alt.Scale(zero=True, nice=True)

    def value(field: str) -> alt.X:
        return alt.X(f"{field}:Q", scale=scale, title="Difference of rewards", axis=alt.Axis(tickCount=5, format="~g"))

    data = _chart(values)
    chart = alt.layer(
        _chart([{"zero": 0}]).mark_rule(stroke=INK, strokeWidth=1.25).encode(x=value("zero")),
        data.mark_rule(stroke=POLICY, strokeWidth=2.5).encode(y=rival, x=value("low"), x2="high:Q"),
        data.mark_point(size=70, filled=True, opacity=1, stroke=POLICY, strokeWidth=2).encode(
            y=rival, x=value("value"), fill=alt.Fill("fill:N", scale=None, legend=None)
        ),
    ).properties(width=WIDTH - 125, height=alt.Step(24))
    said = "; ".join(
        f"{each.rival} {each.interval.value:.3g}"
        + (f" ({each.interval.low:.3g} to {each.interval.high:.3g})" if each.interval.has_enough_groups else "")
        for each in group.differences
    )
    return Picture(group.name, chart, f"{group.name}, reward less that of {said}.")


def front(group: Group) -> Picture:
    """Throughput against p95 delay, and the line through the front's points."""
    # the policy above what it may lie on
    points = [_Point.of(row) for row in sorted(group.rows, key=lambda row: row.is_policy) if _has_delay(row)]
    on_front = [_Point.of(row) for row in group.rows if row.name in group.front and _has_delay(row)]
    domains = (_padded([point.delay_ms for point in points]), _padded([point.throughput_mbps for point in points]))
    delay = alt.X(
        "delay_ms:Q",
        scale=alt.Scale(domain=domains[0], reverse=True, nice=False),
        axis=alt.Axis(title="95th percentile of the queueing delay (ms)", tickCount=5),
    )
    throughput = alt.Y(
        "throughput_mbps:Q",
        scale=alt.Scale(domain=domains[1], nice=False),
        axis=alt.Axis(title="Throughput (Mbit/s)", tickCount=5),
    )
    labels = _chart(_labels(points, domains)).encode(x=delay, y=throughput, text="name:N")
    title = alt.TitleParams("better \u2197", anchor="end", fontWeight=400, color="var(--muted)", offset=4)
    chart = alt.layer(
        _chart([asdict(point) for point in on_front])
        .mark_line(stroke=RIVAL, strokeWidth=1.5, strokeDash=[5, 4])
        .encode(x=delay, y=throughput, order="delay_ms:Q"),
        _chart([asdict(point) for point in points])
        .mark_point(filled=True, opacity=1, size=MARK_AREA, stroke=PAPER, strokeWidth=1.5)
        .encode(
            x=delay,
            y=throughput,
            fill=alt.Fill("colour:N", scale=None, legend=None),
            shape=alt.Shape("shape:N", scale=None, legend=None),
        ),
        # a halo keeps lines off the letters
        labels.mark_text(align="left", baseline="middle", stroke=PAPER, strokeWidth=3.5, strokeJoin="round"),
        labels.mark_text(align="left", baseline="middle"),
    ).properties(width=FRONT_SIZE[0], height=FRONT_SIZE[1], title=title)
    said = "; ".join(f"{each.name} {each.throughput_mbps:.2f} Mbit/s at {each.delay_ms:.1f} ms" for each in points)
    return Picture(group.name, chart, f"{group.name}: {said}.")


def known(title: str, unit: str, groups: Sequence[Group], read: Callable[[Row], float]) -> Picture:
    """What arms make of more and less of the network known."""
    values = [
        {
            "share": f"{100 * (group.known_ratio or 0.0):g} %",
            "name": row.name,
            "value": read(row),
            "colour": series_colour(at),
            "shape": series_shape(at),
        }
        for group in groups
        for at, row in enumerate(group.rows)
    ]
    data = _chart(values).encode(
        x=alt.X("share:O", sort=None, axis=alt.Axis(title="Known share of the network", labelAngle=0, grid=False)),
        y=alt.Y("value:Q", scale=alt.Scale(zero=True), axis=alt.Axis(title=f"{title} ({unit})", tickCount=5)),
        color=alt.Color("colour:N", scale=None, legend=None),
    )
    chart = alt.layer(
        data.mark_line().encode(detail="name:N"),
        data.mark_point(filled=True, opacity=1, size=60).encode(shape=alt.Shape("shape:N", scale=None, legend=None)),
    ).properties(width=WIDTH - 55, height=190)
    policy = next(row.name for row in groups[0].rows if row.is_policy)
    said = "; ".join(f"{each['name']} {each['value']:.2f} at {each['share']}" for each in values)
    return Picture(title, chart, f"{policy}, {title} ({unit}): {said}.")


@dataclass(frozen=True, slots=True)
class _Point:
    """An arm beside the front."""

    name: str
    delay_ms: float
    throughput_mbps: float
    colour: str
    shape: str

    @classmethod
    def of(cls, row: Row) -> _Point:
        series = 0 if row.is_policy else 1
        return cls(
            _shortened(row.name),
            1000 * (row.queueing_p95_s or 0.0),
            row.throughput_bits_per_s / 1e6,
            series_colour(series),
            series_shape(series),
        )


def _has_delay(row: Row) -> bool:
    return row.queueing_p95_s is not None


def _labels(points: Sequence[_Point], domains: tuple[Domain, Domain]) -> Values:
    """Where the points' names stand."""
    (least_ms, most_ms), (least_mbps, most_mbps) = domains
    width, height = FRONT_SIZE
    marks = np.array(
        [
            (
                (most_ms - point.delay_ms) / (most_ms - least_ms) * width,
                (most_mbps - point.throughput_mbps) / (most_mbps - least_mbps) * height,
                math.sqrt(MARK_AREA / math.pi),
            )
            for point in points
        ]
    )
    names = [point.name for point in points]
    placed = place_labels(names, marks, FRONT_SIZE, font_size=FONT_SIZE, obstacles=np.empty((0, 3)))
    return [
        {
            "name": name,
            "delay_ms": most_ms - label.left / width * (most_ms - least_ms),
            "throughput_mbps": most_mbps - label.middle / height * (most_mbps - least_mbps),
        }
        for name, label in zip(names, placed, strict=True)
    ]


def _chart(values: Values) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=values))


def _shortened(arm: str) -> str:
    """Nuwa's k or preset alone."""
    return arm.removeprefix("Nuwa, ")


def _padded(values: Sequence[float]) -> Domain:
    """With room around the outermost."""
    low, high = min(values), max(values)
    room = 0.15 * (high - low or abs(high) or 1.0)
    return max(0.0, low - room), high + room
