"""What a scatter shows of each arm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from e2e.laboratory.report.chart import series_colour, series_shape
from e2e.laboratory.report.frame import LEAST_DELAY_MS
from e2e.laboratory.statistics.intervals import confidence_ellipse
from e2e.laboratory.statistics.summary import ArmSummary

Floats = NDArray[np.float64]

LEAST_FOR_ELLIPSE = 4
"""With fewer runs the region is wider than any chart."""
STAR_PATH = (
    "M0,-1L0.2245,-0.309L0.9511,-0.309L0.3633,0.118L0.5878,0.809L0,0.382L-0.5878,0.809L-0.3633,0.118L-0.9511,-0.309"
    "L-0.2245,-0.309Z"
)
SIDE = 9.5
"""Of a mark, pixels; of a circle the diameter."""
RING = 8
"""So much larger is each mark that lies beneath another."""
MOST_RINGS = 5
NEAR = 8
"""Nearer than this one mark hides much of another."""


@dataclass(frozen=True, slots=True)
class Series:
    """An arm's runs as points: the delay's decadic logarithm (ms), and Mbit/s."""

    name: str
    colour: str
    shape: str
    points: Floats
    seeds: tuple[int, ...]

    @property
    def centre(self) -> Floats:
        """The mean."""
        centre: Floats = self.points.mean(axis=0)
        return centre

    @property
    def ellipse(self) -> Floats:
        """Its outline; without points where there are few runs."""
        outline = confidence_ellipse(self.points) if len(self.points) >= LEAST_FOR_ELLIPSE else None
        return np.empty((0, 2)) if outline is None else outline

    @property
    def is_star(self) -> bool:
        """Whether it is the sender that knows the link."""
        return self.shape == STAR_PATH


def series_of(
    arms: Sequence[ArmSummary], reference: ArmSummary | None, numbers: Sequence[int], capacity_bits_per_s: float
) -> list[Series]:
    """The reference, then the arms in the colours and shapes of their numbers; without those that never finished.

    Runs meet different stretches of a trace: each one's throughput is scaled to the mean capacity, so that what differs
    is the schemes' doing.
    """
    star = [] if reference is None else [_series(reference, "var(--ink)", STAR_PATH, capacity_bits_per_s)]
    others = [
        _series(arm, series_colour(number), series_shape(number), capacity_bits_per_s)
        for arm, number in zip(arms, numbers, strict=True)
    ]
    return [series for series in (*star, *others) if len(series.points) > 0]


def _series(summary: ArmSummary, colour: str, shape: str, capacity_bits_per_s: float) -> Series:
    known = [
        (math.log10(max(LEAST_DELAY_MS, run.delay_p95_ms)), run.utilisation * capacity_bits_per_s / 1e6, run.seed)
        for run in summary.runs
        if run.delay_p95_ms is not None and run.utilisation is not None
    ]
    points = np.array([point[:2] for point in known]).reshape(-1, 2)
    return Series(summary.arm.name, colour, shape, points, tuple(seed for _, _, seed in known))


def nested_sides(centres: Floats) -> list[float]:
    """Sides of marks at these pixels, in their order: as small as none that comes later hides it.

    Of marks in one place, as the papers' schemes often are, the first lies on top, and each further one shows around
    those before it.
    """
    rings: list[int] = []
    for own, centre in enumerate(centres):
        away = np.hypot(*(centres[:own] - centre).T)
        above = [ring for ring, distance in zip(rings, away, strict=True) if distance < NEAR]
        rings.append(min(MOST_RINGS, max(above, default=-1) + 1))
    return [SIDE + RING * ring for ring in rings]
