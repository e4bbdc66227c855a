"""The front's page: one file that needs nothing else."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
from markupsafe import Markup

from e2e.laboratory.front.lead import means_of, shares_of_best
from e2e.laboratory.front.runs import Measured, Points
from e2e.laboratory.report.chart import series_colour, standalone, svg
from e2e.laboratory.report.labelled_points import Axis, Point, labelled_points, span
from e2e.laboratory.report.page import render
from e2e.laboratory.report.plain_table import Table

WIDTH, HEIGHT = 640.0, 380.0
NARROW = (300.0, 360.0)
"""On a phone."""
TICKS_MS = [digit * 10.0**power for power in range(-1, 5) for digit in (1, 2, 5)]
MADE: dict[str, Any] = {"color": "var(--muted)", "fontSize": 10, "fontWeight": "normal"}
ROOM = 0.1
"""Around the outermost points, of what they span."""


def write_page(file: Path, measured: Measured, tables: Sequence[Table], options: argparse.Namespace) -> None:
    """Raises OSError."""
    page = render(
        "front.html.jinja",
        title="The front of throughput against delay",
        about=about(options),
        tables=tables,
        chart=picture(measured.points),
        narrow_chart=picture(measured.points, *NARROW),
        bundle=measured.bundle,
    )
    file.write_text(page, encoding="utf-8")


def about(options: argparse.Namespace) -> str:
    """What is run, over what."""
    what = "segments with pauses" if options.application == "segments" else "a transfer without end"
    parts = [
        f"{what}, {options.seconds:g} s",
        f"{options.starts} start{'s' * (options.starts != 1)} in each trace",
        f"links of {options.most:g} Mbit/s at most",
        f"queue of {options.queue} packets",
        f"{options.delay} ms each way",
        *([f"{100 * options.loss:g} % random loss"] if options.loss else []),
    ]
    return ", ".join(parts)


def write_picture(file: Path, points: Points, *, made: str) -> bool:
    """The chart alone, for other pages, with a line below that says when it was `made`; False where there is none.

    Raises OSError.
    """
    chart = picture(points, made=made)
    if chart is not None:
        file.write_text(standalone(chart), encoding="utf-8")
    return chart is not None


def picture(points: Points, width: float = WIDTH, height: float = HEIGHT, *, made: str | None = None) -> Markup | None:
    """Each scheme's mean share of the best throughput, against the geometric mean of its p95 delay.

    None where no scheme has both on every link.
    """
    rates, delays = means_of(points, range(len(points.links)))
    shares = shares_of_best(rates).mean(axis=1)
    typical_ms = np.exp(np.log(delays).mean(axis=1))
    marks = [
        Point(name, float(delay_ms), float(share), series_colour(1 if is_sender else 0))
        for name, is_sender, share, delay_ms in zip(points.schemes, points.is_sender, shares, typical_ms, strict=True)
        if np.isfinite(share) and np.isfinite(delay_ms)
    ]
    if not marks:
        return None
    shortest, longest = (math.exp(end) for end in span([math.log(mark.x) for mark in marks], ROOM))
    least, most = span([mark.y for mark in marks], ROOM / 2)
    chart = labelled_points(
        marks,
        Axis("p95 queueing delay (ms, geometric mean)", longest, shortest, is_logarithmic=True, ticks=TICKS_MS),
        Axis("Throughput / the best scheme's", most, least),
        (width, height),
    )
    if made is not None:
        chart = chart.properties(title=alt.Title(made, orient="bottom", anchor="end", **MADE))
    said = "; ".join(f"{mark.name} {mark.y:.3f} at {mark.x:.0f} ms" for mark in marks)
    return svg(chart, f"Throughput against delay: {said}.")
