"""The first layer of every policy: features in physical units, spread over -1 to 1 by their ranges.

It is part of the network and so of the exported model: whoever runs that needs no statistics beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


class RangeNormaliser(BaseFeaturesExtractor):
    """Values beyond a feature's range count as its ends."""

    low: torch.Tensor
    high: torch.Tensor
    is_logarithmic: torch.Tensor

    def __init__(self, observation_space: spaces.Box, *, is_logarithmic: Sequence[bool]) -> None:
        """`is_logarithmic`: of each feature; an observation is a history of them."""
        size = observation_space.shape[0]
        super().__init__(observation_space, size)
        self.has_logarithms = any(is_logarithmic)
        flags = torch.tensor(list(is_logarithmic) * (size // len(is_logarithmic)))
        self.register_buffer("low", torch.as_tensor(observation_space.low))
        self.register_buffer("high", torch.as_tensor(observation_space.high))
        self.register_buffer("is_logarithmic", flags)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """From -1 to 1."""
        within = torch.minimum(torch.maximum(observations, self.low), self.high)
        spread = 2 * (within - self.low) / (self.high - self.low) - 1
        if not self.has_logarithms:
            return spread
        ones = torch.ones_like(self.low)
        low = torch.where(self.is_logarithmic, self.low, ones)
        high = torch.where(self.is_logarithmic, self.high, ones * 2)
        value = torch.where(self.is_logarithmic, within, ones)
        return torch.where(self.is_logarithmic, 2 * torch.log(value / low) / torch.log(high / low) - 1, spread)
