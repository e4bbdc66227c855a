"""Lines over a run's time, as a picture."""

from __future__ import annotations

import altair as alt

from e2e.laboratory.learned.pictures import WIDTH, Picture
from e2e.laboratory.report.chart import chart_of, series_colour
from e2e.laboratory.studies.findings import OverTime

HEIGHT = 170


def picture_over_time(of: OverTime, *, unit: str) -> Picture:
    """A line each, in the colours of the series; a moment without a value breaks it."""
    rows = [
        {"at_s": at_s, "value": value, "colour": series_colour(place), "name": name}
        for place, (name, line) in enumerate(of.lines.items())
        for at_s, value in line
    ]
    mark = alt.MarkDef(type="line", interpolate="step-before", strokeWidth=1.4)
    chart = chart_of(rows, mark).encode(
        x=alt.X("at_s:Q", axis=alt.Axis(title="Time (s)", tickCount=6)),
        y=alt.Y("value:Q", axis=alt.Axis(title=unit, tickCount=5)),
        color=alt.Color("colour:N", scale=None, legend=None),
        detail="name:N",
    )
    return Picture(of.title, chart.properties(width=WIDTH - 55, height=HEIGHT), f"{of.title}: {', '.join(of.lines)}.")
