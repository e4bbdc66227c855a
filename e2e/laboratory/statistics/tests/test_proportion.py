"""Clopper and Pearson's interval of a share."""

from __future__ import annotations

from math import comb

import pytest

from e2e.laboratory.statistics.intervals import proportion


def test_none_and_all_have_an_interval() -> None:
    every = proportion(12, 12)
    assert (every.value, every.low, every.high) == pytest.approx((1, 0.025 ** (1 / 12), 1))
    none = proportion(0, 12)
    assert (none.value, none.low, none.high) == pytest.approx((0, 0, 1 - 0.025 ** (1 / 12)))


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("count", [5, 12, 40])
def test_it_holds_the_true_share_in_95_of_100_cases_at_least(share: float, count: int) -> None:
    held = 0.0
    for hits in range(count + 1):
        interval = proportion(hits, count)
        if interval.low <= share <= interval.high:
            held += comb(count, hits) * share**hits * (1 - share) ** (count - hits)
    assert held >= 0.95
