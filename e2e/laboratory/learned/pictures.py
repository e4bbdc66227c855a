"""Pictures of policies beside what they are compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import altair as alt
from markupsafe import Markup

from e2e.laboratory.learned.groups import Group, Row
from e2e.laboratory.report.chart import series_colour, series_shape, svg
from e2e.laboratory.report.labelled_points import Axis, Point, labelled_points, span

WIDTH = 330
"""Of a picture with its axes, in pixels; several stand beside each other."""
POLICY = series_colour(0)
PAPER, INK = "var(--paper)", "var(--ink)"
FRONT_SIZE = (WIDTH - 55.0, 230.0)
ROOM = 0.15
"""Around the front's outermost points, of what they span."""

Values = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart under its name."""

    name: str
    chart: alt.TopLevelMixin
    description: str
    """For those who do not see it."""

    @property
    def svg(self) -> Markup:
        """As pages hold it."""
        return svg(self.chart, self.description)


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
    rows = [row for row in sorted(group.rows, key=lambda row: row.is_policy) if row.queueing_p95_s is not None]
    points = {row.name: _point(row) for row in rows}
    least_ms, most_ms = span([point.x for point in points.values()], ROOM)
    least_mbps, most_mbps = span([point.y for point in points.values()], ROOM)
    chart = labelled_points(
        list(points.values()),
        Axis("95th percentile of the queueing delay (ms)", most_ms, max(0.0, least_ms)),
        Axis("Throughput (Mbit/s)", most_mbps, max(0.0, least_mbps)),
        FRONT_SIZE,
        line=sorted((points[name] for name in group.front if name in points), key=lambda point: point.x),
    )
    title = alt.TitleParams("better \u2197", anchor="end", fontWeight=400, color="var(--muted)", offset=4)
    said = "; ".join(f"{point.name} {point.y:.2f} Mbit/s at {point.x:.1f} ms" for point in points.values())
    return Picture(group.name, chart.properties(title=title), f"{group.name}: {said}.")


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


def _point(row: Row) -> Point:
    series = 0 if row.is_policy else 1
    delay_ms, mbit_per_s = 1000 * (row.queueing_p95_s or 0.0), row.throughput_bits_per_s / 1e6
    return Point(_shortened(row.name), delay_ms, mbit_per_s, series_colour(series), series_shape(series))


def _chart(values: Values) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=values))


def _shortened(arm: str) -> str:
    """Nuwa's k or preset alone."""
    return arm.removeprefix("Nuwa, ")
