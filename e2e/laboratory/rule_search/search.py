"""Moves the constants uphill: a separable evolution strategy (CMA-ES), each generation at other places of the links."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from e2e.laboratory.rule_search.judge import Candidate, FilmWorth, Judge, mean_worth

DEVIATIONS: Mapping[str, float] = {
    "relaxationSeconds": 1.0,
    "steadySpread": 1.0,
    "spreadPerVariation": 0.7,
    "usualWeight": 1.0,
    "stallWeight": 0.5,
    "switchWeight": 0.2,
    "reserveShare": 0.4,
    "reserveWeight": 0.8,
    "endWeight": 0.8,
    "recentHalfLifeSeconds": 0.9,
    "sustainedHalfLifeSeconds": 0.7,
}
"""By their names in the page: what counts as a step of each, of its logarithm."""
CANDIDATES = 14
"""Of a generation."""
FIRST_STEP = 0.5
"""Standard deviation, in steps of `DEVIATIONS`."""


def constants_at(place: Sequence[float], chosen: Mapping[str, float]) -> dict[str, float]:
    """Those of a place in the search's space, whose origin are the chosen ones."""
    steps = zip(DEVIATIONS.items(), place, strict=True)
    return {name: chosen[name] * math.exp(deviation * step) for (name, deviation), step in steps}


def rounded(constants: Mapping[str, float]) -> dict[str, float]:
    """To three figures: films do not tell finer ones apart."""
    return {name: float(f"{value:.3g}") for name, value in constants.items()}


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
    from cmaes import SepCMA  # noqa: PLC0415 - loads scipy.stats: seconds, and whoever collects tests needs none

    strategy = SepCMA(mean=np.zeros(len(DEVIATIONS)), sigma=FIRST_STEP, population_size=CANDIDATES, seed=seed)
    for generation in range(1, generations + 1):
        places = [strategy.ask() for _ in range(CANDIDATES)]
        candidates = [Candidate(constants=constants_at(place.tolist(), chosen)) for place in places]
        films = judge.judge(candidates, seeds=[generation])
        strategy.tell([(place, -film.worth) for place, film in zip(places, films, strict=True)])
        middle = rounded(constants_at(strategy.mean.tolist(), chosen))
        tell(generation, mean_worth(films), middle)
    return rounded(constants_at(strategy.mean.tolist(), chosen))
