"""Quantiles by hand."""

from __future__ import annotations

import pytest

from cc.core.quantile import quantile


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        (range(1, 22), 0.95, 20),  # 0.95 of twenty steps
        (range(1, 21), 0.95, 19),  # 18.05 of nineteen
        (range(1, 21), 0.05, 2),  # 0.95
        ((3.0, 4.0, 9.0), 0.5, 4.0),
        ((3.0, 4.0), 0.5, 3.0),  # between the two: the even place
        ((1.0, 2.0, 3.0, 4.0), 0.5, 3.0),
        ((7.0,), 0.99, 7.0),
        ((3.0, 4.0, 9.0), 0.0, 3.0),
        ((3.0, 4.0, 9.0), 1.0, 9.0),
    ],
)
def test_it_is_the_nearest_of_the_values(values: range | tuple[float, ...], share: float, expected: float) -> None:
    assert quantile(values, share) == expected


def test_of_nothing_there_is_none() -> None:
    with pytest.raises(ValueError, match="no values"):
        quantile([], 0.5)
