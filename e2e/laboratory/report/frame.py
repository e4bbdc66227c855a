"""What a scatter shows of the plane: x is the delay's decadic logarithm (ms), y Mbit/s."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEAST_DELAY_MS = 1.0
"""The links' clocks tick in milliseconds; what is below is drawn there."""
BREAK_FROM = 0.5
"""Below this share of the largest throughput the least is shown from zero on."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A part of the plane, and the pixels of its drawing, whose delay falls to the right and whose y goes downwards."""

    least: tuple[float, float]
    most: tuple[float, float]
    width: float
    height: float

    def to_pixels(self, points: Floats) -> Floats:
        """Where points (x, y) lie."""
        pixels: Floats = (np.array(self.most) - points) / self._span * [self.width, self.height]
        return pixels

    def from_pixels(self, pixels: Floats) -> Floats:
        """Which points lie there."""
        points: Floats = np.array(self.most) - pixels * self._span / [self.width, self.height]
        return points

    @property
    def _span(self) -> Floats:
        span: Floats = np.array(self.most) - np.array(self.least)
        return span


def frame_of(points: Floats, ellipses: Floats, *, width: float, height: float) -> Frame:
    """Room for all points and, up to a limit, for the ellipses.

    Throughput begins at 0 where the schemes are far apart, else above it.
    """
    left, right = _range(points[:, 0], ellipses[:, 0])
    low, high = _range(points[:, 1], ellipses[:, 1])
    across = max(right - left, 0.3)
    up = max(high - low, 0.12 * high)
    bottom = low - 0.1 * up
    return Frame(
        least=(
            max(math.log10(0.7 * LEAST_DELAY_MS), left - 0.1 * across),
            0.0 if bottom < BREAK_FROM * high else bottom,
        ),
        most=(right + 0.1 * across, high + 0.12 * up),
        width=width,
        height=height,
    )


def _range(values: Floats, around: Floats) -> tuple[float, float]:
    """From the least to the largest; what lies around adds no more than half as much again on each side."""
    least, most = float(values.min()), float(values.max())
    extra = (most - least) / 2
    return (
        max(least - extra, min([least, *around.tolist()])),
        min(most + extra, max([most, *around.tolist()])),
    )
