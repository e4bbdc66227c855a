"""A first layer for schemes whose features begin with threshold and window: it adds how far apart the two are."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from gymnasium import spaces

from models.training.normaliser import RangeNormaliser

GAIN = 10.0  # over four decades the logarithm of 0.7, by which a loss cuts the window, becomes 0.77


class WindowRatio(RangeNormaliser):
    """The spread features, and the spread window less the spread threshold, enlarged.

    Nothing that the features do not say: both are logarithms over the same range, and their difference, which tells how
    near the window is to the last loss, is what small steps would have to make out between two large numbers.
    """

    def __init__(self, observation_space: spaces.Box, *, is_logarithmic: Sequence[bool]) -> None:
        """As the normaliser's."""
        super().__init__(observation_space, is_logarithmic=is_logarithmic)
        self._features_dim += 1

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """One number more than there are features."""
        spread = super().forward(observations)
        return torch.cat((spread, GAIN * (spread[:, 1:2] - spread[:, 0:1])), dim=1)
