"""Where the mean of points in a plane lies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtri

from models.evaluation.student import CONFIDENCE

OUTLINE_POINTS = 60


def confidence_ellipse(points: NDArray[np.float64], confidence: float = CONFIDENCE) -> NDArray[np.float64] | None:
    """Outline of the region that holds the mean of the rows (x, y), if they are drawn from a normal distribution.

    An ellipse after the samples' covariance, its squared radius that of Hotelling's T^2:
    2 (n - 1) / (n (n - 2)) F(2, n - 2). None with fewer than three points.
    """
    count = len(points)
    if count < 3:
        return None
    radius = np.sqrt(2 * (count - 1) / (count * (count - 2)) * fdtri(2, count - 2, confidence))
    variances, axes = np.linalg.eigh(np.cov(points, rowvar=False))
    angles = np.linspace(0, 2 * np.pi, OUTLINE_POINTS, endpoint=False)
    circle = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outline: NDArray[np.float64] = points.mean(axis=0) + circle * np.sqrt(variances.clip(min=0)) @ axes.T
    return outline
