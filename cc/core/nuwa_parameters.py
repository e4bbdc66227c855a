"""What an application chooses of a receiver-driven scheme."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

K_RANGE = (1.0, 9.0)

ParameterName = Literal["target_delay_s", "rho_s", "k", "catches_up", "follows_need", "as_in_paper"]
ALL_PARAMETERS: tuple[ParameterName, ...] = get_args(ParameterName)


@dataclass(frozen=True, slots=True)
class NuwaParameters:
    """Nuwa's, which other receivers may leave aside (cc/receiver/presets.json)."""

    target_delay_s: float
    """T_d: the queueing delay to hold with a window of `cc.receiver.nuwa.TARGET_WINDOW_PACKETS`."""
    rho_s: float
    """Sensitivity of the trend to the distance from the target (eq. 5)."""
    k: float
    """Aggressiveness, 1 to 9 (eq. 6)."""
    catches_up: bool = False
    """Whether the window follows a link that has changed in proportion to itself (`cc.receiver.catch_up`)."""
    follows_need: bool = False
    """Whether a player's need bounds the window and the target delay (`cc.receiver.need`)."""
    as_in_paper: bool = False
    """Whether the window moves by the paper's equations alone, with a constant T_d (`cc.receiver.nuwa`)."""

    def __post_init__(self) -> None:
        """Raises ValueError for delays that are not positive, a k out of range, and what the paper does not have."""
        if self.as_in_paper and (self.catches_up or self.follows_need):
            raise ValueError("the paper's law neither catches up nor follows a need: choose as_in_paper or these")
        for name in ("target_delay_s", "rho_s"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be a positive number of seconds, not {value}")
        if not K_RANGE[0] <= self.k <= K_RANGE[1]:
            raise ValueError(f"k must lie in [{K_RANGE[0]:g}, {K_RANGE[1]:g}], not {self.k}")
