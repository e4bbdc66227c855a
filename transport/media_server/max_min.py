"""Max-min fairness: who wants less than its share leaves the rest to the others."""

from __future__ import annotations

import math
from collections.abc import Iterable


def fair_level(wanted: Iterable[float], *, total: float) -> float:
    """What nobody may pass so that all together have `total` at most; infinity where all have what they want."""
    left = total
    ascending = sorted(wanted)
    for index, each in enumerate(ascending):
        fair = left / (len(ascending) - index)
        if each > fair:
            return fair
        left -= each
    return math.inf
