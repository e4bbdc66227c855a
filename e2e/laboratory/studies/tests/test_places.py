"""How far the same flow is apart in two places."""

from __future__ import annotations

import pytest

from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.studies.places import Outcome, delay_apart, delay_apart_percent, throughput_apart

REACH = Reach("at most", 5.0)


def test_a_figure_is_that_of_the_means_and_has_each_repeats_own_deviation_beside_it() -> None:
    # means 11 and 10 Mbit/s, 52 and 50 ms: 10 % and 2 ms apart
    outcome, reference = Outcome([12, 10], [64, 40]), Outcome([10, 10], [60, 40])
    throughput = throughput_apart("cubic", outcome, reference, REACH)
    assert throughput.value == pytest.approx(10)
    assert throughput.samples == pytest.approx((20, 0))
    assert (throughput.reach, throughput.is_reached) == (REACH, False)
    delay = delay_apart("cubic", outcome, reference, least_ms=5, least_share=0.1)
    assert (delay.value, delay.samples, delay.reach) == (2, (4, 0), REACH)
    assert delay_apart_percent("cubic", outcome, reference, REACH).value == pytest.approx(4)


def test_a_repeat_that_failed_leaves_no_value_and_a_gap_among_the_samples() -> None:
    outcome, reference = Outcome([12, None], [64, None]), Outcome([12, 10], [60, 40])
    throughput = throughput_apart("cubic", outcome, reference, REACH)
    assert (throughput.value, throughput.samples) == (None, (0, None))
    delay = delay_apart("cubic", outcome, reference, least_ms=5, least_share=0.1)
    assert (delay.value, delay.samples) == (None, (4, None))
    assert outcome.cells == ("failed", "failed")
    assert reference.cells == ("11.00", "50.0 ms")


def test_a_long_delay_may_be_apart_by_its_share() -> None:
    long = Outcome([10], [1000])
    assert delay_apart("cubic", long, long, least_ms=5, least_share=0.1).reach == Reach("at most", 100)
