"""Order statistics of what was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence


def nearest_rank(ordered: Sequence[float], share: float) -> float | None:
    """The smallest of the ascending values that `share` of them do not exceed; None where there are none."""
    if not ordered:
        return None
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
