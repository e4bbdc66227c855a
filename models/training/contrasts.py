"""A first layer that adds what is small between large numbers: ratios of features, and how each moved of late.

Nothing that the features do not say: but a layer of weights would have to make out a step of one packet, or a
millisecond of queue, between two logarithms that are spread over three decades.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from gymnasium import spaces

from models.training.normaliser import RangeNormaliser

RATIO_GAIN = 10.0  # over four decades the logarithm of 0.7, by which a loss cuts a window, becomes 0.77
TREND_GAIN = 30.0  # a feature moves by some hundredths of its range from one decision to the next


class Contrasts(RangeNormaliser):
    """The spread features, enlarged logarithms of ratios between those of the last interval, and enlarged trends."""

    def __init__(
        self,
        observation_space: spaces.Box,
        *,
        is_logarithmic: Sequence[bool],
        pairs: Sequence[tuple[int, int]] = (),
        has_trends: bool = False,
    ) -> None:
        """`pairs` are indices of logarithmic features: one over the other. Trends are differences of intervals.

        Raises ValueError for a pair of a feature that is not logarithmic.
        """
        super().__init__(observation_space, is_logarithmic=is_logarithmic)
        linear = sorted({feature for pair in pairs for feature in pair if not is_logarithmic[feature]})
        if linear:
            raise ValueError(f"pairs {tuple(pairs)} take logarithms of features {linear}, which are not logarithmic")
        self._count = len(is_logarithmic)
        self._pairs = tuple(pairs)
        self._has_trends = has_trends
        history = self._features_dim // self._count
        self._features_dim += len(self._pairs) + (self._count * (history - 1) if has_trends else 0)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Spread features, then a number for each pair, then the trends of all features, oldest first."""
        spread = super().forward(observations)
        parts = [spread]
        if self._pairs:
            parts.append(RATIO_GAIN * self._ratios(observations))
        if self._has_trends:
            parts.append(TREND_GAIN * (spread[:, self._count :] - spread[:, : -self._count]))
        return torch.cat(parts, dim=1)

    def _ratios(self, observations: torch.Tensor) -> torch.Tensor:
        last = torch.minimum(torch.maximum(observations, self.low), self.high)[:, -self._count :]
        upper = [upper for upper, _ in self._pairs]
        lower = [lower for _, lower in self._pairs]
        width = torch.log(self.high / self.low)[-self._count :]
        return 2 * torch.log(last[:, upper] / last[:, lower]) / width[upper]
