"""Figures as Markdown, which also reads well in a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, median

from e2e.laboratory.figures.figure import Figure, Reach, Repeats
from models.evaluation.resampling import Interval

SYMBOLS = {"at least": ">=", "at most": "<=", "above": ">", "within": "within ±"}
MOST_DECIMALS = 4
LEAST_GROUPED = 10_000
LEAST_COUNT = 2
"""A whole number without a unit that is less may be a ratio."""


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
    text = number(figure.value, is_count=True) if _counts(figure) else _beside(figure.value, figure.reach)
    return f"{text} {figure.unit}".rstrip()


def number(value: float, *, is_count: bool = False) -> str:
    """Three digits that matter, or a whole number; its digits are in threes where there are five at least."""
    if value == 0:
        return "0"
    is_whole = is_count and float(value).is_integer()
    decimals = 0 if is_whole else min(MOST_DECIMALS, max(0, 2 - math.floor(math.log10(abs(value)))))
    return f"{value:,.{decimals}f}" if abs(value) >= LEAST_GROUPED else f"{value:.{decimals}f}"


def goal(value: float) -> str:
    """Of few digits as it was chosen, else as other numbers."""
    is_short = abs(value) < LEAST_GROUPED and float(f"{value:.3g}") == value
    return f"{value:.3g}" if is_short else number(value)


def interval_text(interval: Interval, repeats: Repeats = "runs") -> str:
    """Of how many it is, and its ends."""
    of = f"n = {interval.groups}" if repeats == "runs" else f"{interval.groups} {repeats}"
    return f"95 %, {of}: {number(interval.low)} to {number(interval.high)}"


def sample_texts(figure: Figure) -> list[str]:
    """Each repeat's number; `none` of one that has none."""
    is_count = _counts(figure)
    return ["none" if sample is None else number(sample, is_count=is_count) for sample in figure.samples]


def _counts(figure: Figure) -> bool:
    """Whether all its repeats are whole numbers; a ratio may be 1."""
    known = [each for each in (figure.samples or (figure.value,)) if each is not None]
    if figure.interval is not None or not all(float(each).is_integer() for each in known):
        return False
    return bool(figure.unit) or any(abs(each) >= LEAST_COUNT for each in known)


def _measured(figure: Figure) -> str:
    text = figure_value(figure)
    return f"**{text}**{_spread(figure)}" if figure.is_reached is False else f"{text}{_spread(figure)}"


def _spread(figure: Figure) -> str:
    """The interval, or where it says nothing the repeats."""
    interval = figure.interval
    if interval is not None:
        if not interval.has_enough_groups:
            return f" (of {interval.samples})"
        return f" ({interval_text(interval, figure.repeats)})"
    samples = [sample for sample in figure.samples if sample is not None]
    if len(samples) < 2:
        return ""
    of = f"{_centre(figure.value, samples)}{len(samples)} {figure.repeats}"
    least, most = (number(end, is_count=_counts(figure)) for end in (min(samples), max(samples)))
    return f" ({of}: {least} to {most})"


def _centre(value: float | None, samples: Sequence[float]) -> str:
    """What of its repeats a number is, where they tell; a ratio of means is none of it."""
    centres = {"mean of ": fmean(samples), "median of ": median(samples), "sum of ": math.fsum(samples)}
    found = [name for name, centre in centres.items() if value is not None and math.isclose(value, centre)]
    return found[0] if len(found) == 1 else ""


def _wanted(figure: Figure) -> str:
    reach = figure.reach
    assert reach is not None
    has_each = figure.has_to_be_sure and figure.repeats == "starts"
    surely = "each start " if has_each else "surely " if figure.has_to_be_sure else ""
    symbol = SYMBOLS[reach.comparison]
    return f"{surely}{symbol}{'' if symbol.endswith('±') else ' '}{goal(reach.value)}"


def _beside(value: float, reach: Reach | None) -> str:
    """With as many digits more as it takes to differ from the goal that it just misses, or just reaches."""
    short = number(value)
    if reach is None or value == reach.value or short not in (number(reach.value), goal(reach.value)):
        return short
    longer = (f"{value:.{digits}g}" for digits in range(4, 18))
    return next((text for text in longer if float(text) != reach.value), short)
