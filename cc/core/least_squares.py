"""A straight line through points, by least squares."""

from __future__ import annotations

from collections.abc import Sequence


def slope(points: Sequence[tuple[float, float]]) -> float | None:
    """Slope of the line through (x, y), in units of y for each of x; None where there is no such line."""
    if len(points) < 2:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if spread <= 0:
        return None
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
