"""Outcomes, and their table, worked out by hand."""

from __future__ import annotations

import pytest

from e2e.abuse.attack import Attack, Limit, Sample, outcomes
from e2e.abuse.ground import Ground
from e2e.abuse.table import outcome_table
from e2e.laboratory.figures.figure import Reach

DRAWN = Limit("drawn", Reach("at most", 2.0), "MB")
KEPT = Limit("kept", Reach("at least", 0.5))


async def nothing(ground: Ground) -> list[Sample]:
    return []


ATTACK = Attack("floods", "Floods.", "media server", (DRAWN, KEPT), nothing)


@pytest.mark.parametrize(
    ("values", "worst", "holds"),
    [([1.0, 2.0], 2.0, True), ([2.1, 1.0], 2.1, False), ([], None, False), ([-1.0], -1.0, True)],
)
def test_the_most_counts_where_little_is_wanted(values: list[float], worst: float | None, holds: bool) -> None:
    drawn, _ = outcomes(ATTACK, [DRAWN.of(value) for value in values])
    assert (drawn.worst.value if drawn.worst else None, drawn.holds, drawn.figure.value) == (worst, holds, worst)


def test_the_least_counts_where_much_is_wanted() -> None:
    _, kept = outcomes(ATTACK, [KEPT.of(0.9, "a"), KEPT.of(0.4, "b"), DRAWN.of(0.1)])
    assert (kept.worst, kept.holds) == (KEPT.of(0.4, "b"), False)
    assert kept.figure.samples == (0.9, 0.4)


def test_the_table_names_the_worst_arm_and_what_does_not_hold() -> None:
    found = outcomes(ATTACK, [DRAWN.of(2.5, "bbr"), DRAWN.of(1.0, "cubic")])
    assert outcome_table(found) == (
        "| attack | limit         | measured                      | holds  |\n"
        "| ------ | ------------- | ----------------------------- | ------ |\n"
        "| floods | drawn <= 2 MB | 2.50 MB (bbr, the worst of 2) | **no** |\n"
        "| floods | kept >= 0.5   | not measured                  | **no** |\n"
    )
