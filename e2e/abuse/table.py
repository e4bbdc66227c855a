"""What was found, as a table for terminals and pages."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Outcome
from e2e.laboratory.figures.markdown import SYMBOLS, figure_value, goal, markdown_table, number

HEADER = ("attack", "limit", "measured", "holds")


def outcome_table(found: Sequence[Outcome]) -> str:
    """A row a limit: the worst of what was measured, and of which arm it is."""
    return markdown_table(HEADER, [_row(outcome) for outcome in found])


def told_table(found: Sequence[Outcome]) -> str | None:
    """Arms that are to be named, the worst first; None where there are none."""
    rows = [
        (outcome.attack.name, sample.arm, f"{number(sample.value)} {outcome.limit.unit}".rstrip())
        for outcome in found
        for sample in sorted(outcome.samples, key=lambda each: -each.value)
        if outcome.limit.told_above is not None and sample.value > outcome.limit.told_above
    ]
    return markdown_table(("attack", "arm", "measured"), rows) if rows else None


def _row(outcome: Outcome) -> tuple[str, str, str, str]:
    reach, unit = outcome.limit.reach, outcome.limit.unit
    wanted = f"{outcome.limit.what} {SYMBOLS[reach.comparison]} {goal(reach.value)} {unit}".rstrip()
    return outcome.attack.name, wanted, _measured(outcome), "yes" if outcome.holds else "**no**"


def _measured(outcome: Outcome) -> str:
    worst = outcome.worst
    arms = len(outcome.samples)
    of = "" if worst is None or not worst.arm else worst.arm if arms == 1 else f"{worst.arm}, the worst of {arms}"
    return figure_value(outcome.figure) + (f" ({of})" if of else "")
