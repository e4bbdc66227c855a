"""Outcomes, and their table, worked out by hand."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from e2e.abuse.attack import Attack, AttackError, Limit, Sample, carry_out, outcomes
from e2e.abuse.ground import Ground
from e2e.abuse.table import outcome_table, told_table
from e2e.laboratory.figures.figure import Reach

DRAWN = Limit("drawn", Reach("at most", 2.0), "MB")
KEPT = Limit("kept", Reach("at least", 0.5))


async def nothing(ground: Ground) -> list[Sample]:
    return []


ATTACK = Attack("floods", "Floods.", (DRAWN, KEPT), nothing)


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


def test_arms_above_what_is_to_be_told_are_named_the_worst_first() -> None:
    told = replace(DRAWN, told_above=1.1)
    attack = replace(ATTACK, limits=(told, KEPT))
    samples = [told.of(1.1, "a"), told.of(1.2, "b"), told.of(1.4, "c"), KEPT.of(9.0, "d")]
    assert told_table(outcomes(attack, samples)) == (
        "| attack | arm | measured |\n"
        "| ------ | --- | -------- |\n"
        "| floods | c   | 1.40 MB  |\n"
        "| floods | b   | 1.20 MB  |\n"
    )
    assert told_table(outcomes(ATTACK, [DRAWN.of(1.9, "a")])) is None


def test_a_client_that_stumbles_is_no_proof_that_a_limit_holds() -> None:
    async def stumble(ground: Ground) -> list[Sample]:
        asyncio.get_running_loop().call_soon(int, "no number")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return [DRAWN.of(0.0), KEPT.of(1.0)]

    attack = Attack("stumbles", "Stumbles.", (DRAWN, KEPT), stumble)
    with pytest.raises(AttackError, match=r"^stumbles: the client itself failed: invalid literal for int"):
        asyncio.run(carry_out(attack, Ground(Path())))


def test_arms_run_side_by_side_and_their_results_keep_their_order() -> None:
    running, told = [0], []

    async def arm(number: int) -> tuple[int, int]:
        running[0] += 1
        beside = running[0]
        for _ in range(3 - number % 3):
            await asyncio.sleep(0)
        running[0] -= 1
        return number, beside

    ground = Ground(Path(), jobs=2, on_progress=lambda done, of: told.append((done, of)))
    results = asyncio.run(ground.each([partial(arm, number) for number in range(5)]))
    assert [number for number, _ in results] == [0, 1, 2, 3, 4]
    assert max(beside for _, beside in results) == 2
    assert told == [(done, 5) for done in range(6)]


def test_random_numbers_are_of_the_seed_and_of_what_they_are_for() -> None:
    drawn = [Ground(Path(), seed=seed).rng(*words).random() for seed in (1, 2) for words in (("a", 1), ("b", 1))]
    assert len(set(drawn)) == 4
    assert Ground(Path(), seed=2).rng("a", 1).random() == drawn[2]
