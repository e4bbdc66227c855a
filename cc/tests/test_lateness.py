"""How late a host wakes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc.core.lateness import STEPS_PER_DOUBLING, Lateness


def test_says_nothing_before_the_first_waking() -> None:
    lateness = Lateness()
    assert (lateness.latest_s, lateness.p99_s, lateness.max_s, lateness.median_s) == (0.0, 0.0, 0.0, 0.0)
    assert lateness.summary() is None


def test_a_waking_before_its_time_is_not_late() -> None:
    lateness = Lateness()
    lateness.on_wake(due_s=10.0, woke_s=9.9)
    assert lateness.latest_s == 0.0


def test_forgets_what_is_older_than_a_second_but_not_in_the_summary() -> None:
    lateness = Lateness()
    lateness.on_wake(due_s=10.0, woke_s=10.5)
    assert lateness.max_s == lateness.median_s == pytest.approx(0.5)
    for index in range(60):
        due_s = 10.5 + 0.02 * index
        lateness.on_wake(due_s=due_s, woke_s=due_s + 0.001)
    assert lateness.max_s == pytest.approx(0.001)
    assert lateness.p99_s == lateness.median_s == pytest.approx(0.001)
    summary = lateness.summary()
    assert summary is not None
    assert summary.max_s == pytest.approx(0.5)
    assert summary.p99_s == pytest.approx(0.5)  # one of 61 is more than a hundredth


def test_one_of_a_thousand_wakings_is_beyond_the_99th_percentile() -> None:
    lateness = Lateness()
    for index in range(999):
        lateness.on_wake(due_s=float(index), woke_s=index + 0.002)
    lateness.on_wake(due_s=1000.0, woke_s=1003.0)
    summary = lateness.summary()
    assert summary is not None
    assert summary.p99_s == pytest.approx(0.002, rel=0.1)
    assert summary.max_s == pytest.approx(3.0)


@given(st.lists(st.floats(min_value=0.0, max_value=100.0), min_size=1, max_size=300))
def test_the_summary_is_right_to_a_step(late_s: list[float]) -> None:
    lateness = Lateness()
    for late in late_s:
        lateness.on_wake(due_s=0.0, woke_s=late)
    summary = lateness.summary()
    assert summary is not None
    assert summary.max_s == max(late_s)
    ordered = sorted(late_s)
    at_least_s = ordered[-(-99 * len(ordered) // 100) - 1]
    assert min(at_least_s, 1e-4) <= summary.p99_s <= max(1e-4, at_least_s * 2 ** (1.001 / STEPS_PER_DOUBLING))
