"""Figures as Markdown, which also reads well in a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, median

from e2e.laboratory.figures.figure import Figure, Reach
from models.groups import LEAST_GROUPS

SYMBOLS = {"at least": ">=", "at most": "<=", "above": ">", "within": "within ±"}
MOST_DECIMALS = 4


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell; ends with a line break."""
    lines = [header, *rows]
    widths = [max(3, *(len(line[column]) for line in lines)) for column in range(len(header))]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
    rule = ["-" * width for width in widths]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (padded[0], rule, *padded[1:]))


def figure_table(figures: Sequence[Figure]) -> str:
    """A row a figure; what was missed is bold."""
    rows = [[figure.what, _measured(figure), "" if figure.reach is None else _wanted(figure)] for figure in figures]
    if all(figure.reach is None for figure in figures):
        return markdown_table(["figure", "measured"], [row[:2] for row in rows])
    return markdown_table(["figure", "measured", "to reach"], rows)


def figure_value(figure: Figure) -> str:
    """The number and its unit, as a sentence has it."""
    if figure.value is None:
        return "not measured"
    return f"{_beside(figure.value, figure.reach)} {figure.unit}".rstrip()


def number(value: float) -> str:
    """Three digits that matter."""
    if value == 0:
        return "0"
    decimals = 2 - math.floor(math.log10(abs(value)))
    return f"{value:.{min(MOST_DECIMALS, max(0, decimals))}f}"


def _measured(figure: Figure) -> str:
    text = figure_value(figure)
    return f"**{text}**{_spread(figure)}" if figure.is_reached is False else f"{text}{_spread(figure)}"


def _spread(figure: Figure) -> str:
    """The interval, or where it says nothing the runs."""
    interval = figure.interval
    if interval is not None:
        if interval.groups < LEAST_GROUPS:
            return f" (of {interval.samples})"
        return f" (95 %: {number(interval.low)} to {number(interval.high)})"
    samples = [sample for sample in figure.samples if sample is not None]
    if len(samples) < 2:
        return ""
    of = f"{_centre(figure.value, samples)}{len(samples)} runs"
    return f" ({of}: {number(min(samples))} to {number(max(samples))})"


def _centre(value: float | None, samples: Sequence[float]) -> str:
    """What of its runs a number is, where they tell; a ratio of means is neither."""
    centres = {"mean of ": fmean(samples), "median of ": median(samples)}
    found = [name for name, centre in centres.items() if value is not None and math.isclose(value, centre)]
    return found[0] if len(found) == 1 else ""


def _wanted(figure: Figure) -> str:
    reach = figure.reach
    assert reach is not None
    surely = "surely " if figure.has_to_be_sure else ""
    symbol = SYMBOLS[reach.comparison]
    return f"{surely}{symbol}{'' if symbol.endswith('±') else ' '}{reach.value:g}"


def _beside(value: float, reach: Reach | None) -> str:
    """With as many digits more as it takes to differ from the goal that it just misses, or just reaches."""
    short = number(value)
    if reach is None or value == reach.value or float(short) != reach.value:
        return short
    longer = (f"{value:.{digits}g}" for digits in range(4, 18))
    return next((text for text in longer if float(text) != reach.value), short)
