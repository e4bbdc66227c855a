"""The smallest delay of ten minutes of the clock, whether or not samples came in them."""

from __future__ import annotations

import pytest

from cc.sender.base_delay import BaseDelay


def test_is_the_smallest_of_the_minute_and_of_those_before() -> None:
    base = BaseDelay()
    assert [base.on_sample(delay_s, now_s=now_s) for now_s, delay_s in ((0, 0.3), (1, 0.1), (2, 0.2), (61, 0.4))] == [
        0.3,
        0.1,
        0.1,
        0.1,
    ]


@pytest.mark.parametrize(("later_s", "expected_s"), [(599.0, 0.02), (600.0, 0.2), (3600.0, 0.2)])
def test_what_was_seen_before_a_pause_is_forgotten_after_ten_minutes(later_s: float, expected_s: float) -> None:
    base = BaseDelay()
    base.on_sample(0.02, now_s=0.0)
    assert base.on_sample(0.2, now_s=later_s) == expected_s
