"""A part's figures as lines."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.laboratory.learned.report import Figure
from models.evaluation.resampling import LEAST_GROUPS, Interval


def text(title: str, figures: Sequence[Figure]) -> str:
    """A part."""
    return "\n".join([f"# {title}", *map(line, figures)]) + "\n"


def line(figure: Figure) -> str:
    """One figure, and whether it was reached."""
    if figure.value is None:
        return figure.what
    return f"{figure.what}: {_value(figure.value)} {figure.unit}".rstrip() + _verdict(figure)


def _value(value: float | Interval) -> str:
    if not isinstance(value, Interval):
        return f"{value:.4g}"
    if value.groups < LEAST_GROUPS:
        return f"{value.value:.4g} (of {value.samples})"
    return f"{value.value:.4g} ({value.low:.4g} to {value.high:.4g})"


def _verdict(figure: Figure) -> str:
    if figure.reach is None:
        return ""
    to_reach = "surely to reach" if figure.has_to_be_sure else "to reach"
    verdict = "reached" if figure.is_reached else "missed"
    return f", {to_reach}: {figure.reach.comparison} {figure.reach.value:g}: {verdict}"
