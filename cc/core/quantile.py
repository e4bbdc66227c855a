"""The one definition of a quantile in Python: a value that was measured, the nearest to where the quantile lies.

numpy.quantile calls it method "nearest" (halves go to the even place). TypeScript's lies between two values
(player/src/statistics/quantile.ts): no figure of one is compared with one of the other.
"""

from __future__ import annotations

from collections.abc import Sequence


def quantile(ordered: Sequence[float], share: float) -> float:
    """The one of ascending values at `share` (0 to 1) of the way from the first to the last.

    Raises ValueError where there are no values.
    """
    if not ordered:
        raise ValueError("no values, and so no quantile of them")
    return ordered[round(share * (len(ordered) - 1))]
