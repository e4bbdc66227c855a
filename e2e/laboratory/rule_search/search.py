"""Moves the constants uphill: a separable evolution strategy (CMA-ES), each generation at other places of the links."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from cmaes import SepCMA

from e2e.laboratory.rule_search.constants import DEVIATIONS, constants_at, rounded
from e2e.laboratory.rule_search.judge import Candidate, Judge
from e2e.laboratory.rule_search.worth import FilmWorth, mean_worth

CANDIDATES = 14
"""Of a generation."""
FIRST_STEP = 0.5
"""Standard deviation, in steps of `DEVIATIONS`."""


def search(
    judge: Judge,
    chosen: Mapping[str, float],
    *,
    generations: int,
    seed: int,
    tell: Callable[[int, FilmWorth, Mapping[str, float]], None],
) -> dict[str, float]:
    """The middle of the last generation. `tell` hears of each: its number, its films' mean, its middle.

    Raises FilmFailure.
    """
    strategy = SepCMA(mean=np.zeros(len(DEVIATIONS)), sigma=FIRST_STEP, population_size=CANDIDATES, seed=seed)
    for generation in range(1, generations + 1):
        places = [strategy.ask() for _ in range(CANDIDATES)]
        candidates = [Candidate(constants=constants_at(place.tolist(), chosen)) for place in places]
        films = judge.judge(candidates, seeds=[generation])
        strategy.tell([(place, -film.worth) for place, film in zip(places, films, strict=True)])
        middle = rounded(constants_at(strategy.mean.tolist(), chosen))
        tell(generation, mean_worth(films), middle)
    return rounded(constants_at(strategy.mean.tolist(), chosen))
