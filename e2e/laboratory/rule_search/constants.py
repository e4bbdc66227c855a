"""Which of NuwaRule's constants are searched, and how far each is moved."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

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


def constants_at(place: Sequence[float], chosen: Mapping[str, float]) -> dict[str, float]:
    """Those of a place in the search's space, whose origin are the chosen ones."""
    steps = zip(DEVIATIONS.items(), place, strict=True)
    return {name: chosen[name] * math.exp(deviation * step) for (name, deviation), step in steps}


def rounded(constants: Mapping[str, float]) -> dict[str, float]:
    """To three figures: films do not tell finer ones apart."""
    return {name: float(f"{value:.3g}") for name, value in constants.items()}
