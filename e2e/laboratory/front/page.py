"""The front's page: one file that needs nothing else."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
from markupsafe import Markup

from e2e.laboratory.front.lead import means_of
from e2e.laboratory.front.runs import Points
from e2e.laboratory.report.chart import chart_of, series_colour, standalone, svg
from e2e.laboratory.report.page import render
from e2e.laboratory.report.plain_table import Table

WIDTH, HEIGHT = 640.0, 380.0
NARROW = (300.0, 360.0)
"""On a phone."""
TICKS_MS = [digit * 10.0**power for power in range(-1, 5) for digit in (1, 2, 5)]
MADE: dict[str, Any] = {"color": "var(--muted)", "fontSize": 10, "fontWeight": "normal"}
LOG_PADDING = 40.0
"""Pixels at both ends, for names."""


def write_page(file: Path, points: Points, tables: Sequence[Table], options: argparse.Namespace) -> None:
    """Raises OSError."""
    what = "segments with pauses" if options.application == "segments" else "a transfer without end"
    page = render(
        "front.html.jinja",
        title="The front of throughput against delay",
        about=f"{what}, {options.seconds:g} s, queue of {options.queue} packets, {options.delay} ms each way",
        tables=tables,
        chart=picture(points),
        narrow_chart=picture(points, *NARROW),
    )
    file.write_text(page, encoding="utf-8")


def write_picture(file: Path, points: Points, *, made: str) -> None:
    """The chart alone, for other pages, with a line below that says when it was `made`. Raises OSError."""
    file.write_text(standalone(picture(points, made=made)), encoding="utf-8")


def picture(points: Points, width: float = WIDTH, height: float = HEIGHT, *, made: str | None = None) -> Markup:
    """Each scheme's mean share of the best throughput, against the geometric mean of its p95 delay."""
    rates, delays = means_of(points, range(len(points.links)))
    shares = (rates / np.nanmax(rates, axis=0)).mean(axis=1)
    typical_ms = np.exp(np.log(delays).mean(axis=1))
    rows = [
        {
            "scheme": name,
            "share": float(share),
            "delay_ms": float(delay_ms),
            "colour": series_colour(1 if is_sender else 0),
        }
        for name, is_sender, share, delay_ms in zip(points.schemes, points.is_sender, shares, typical_ms, strict=True)
        if np.isfinite(share) and np.isfinite(delay_ms)
    ]
    delay = alt.X(
        "delay_ms:Q",
        scale=alt.Scale(type="log", reverse=True, nice=False, padding=LOG_PADDING),
        axis=alt.Axis(title="p95 queueing delay (ms, geometric mean)", format="~g", values=TICKS_MS),
    )
    share = alt.Y("share:Q", scale=alt.Scale(zero=False), axis=alt.Axis(title="Throughput / the best scheme's"))
    colour = alt.Color("colour:N", scale=None, legend=None)
    chart = alt.layer(
        chart_of(rows, alt.MarkDef(type="point", filled=True, opacity=1, size=80)).encode(
            x=delay, y=share, color=colour
        ),
        chart_of(rows, alt.MarkDef(type="text", align="left", dx=7)).encode(x=delay, y=share, text="scheme:N"),
    ).properties(width=width, height=height)
    if made is not None:
        chart = chart.properties(title=alt.Title(made, orient="bottom", anchor="end", **MADE))
    said = "; ".join(f"{row['scheme']} {row['share']:.3f} at {row['delay_ms']:.0f} ms" for row in rows)
    return svg(chart, f"Throughput against delay: {said}.")
