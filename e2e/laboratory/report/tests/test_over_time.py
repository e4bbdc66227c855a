"""A run in stretches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from e2e.laboratory.report.over_time import MOST_BINS, bins_of
from e2e.laboratory.tests.samples import sample_plan, sample_result

PLAN = sample_plan(duration_s=40)  # 400 intervals: three to a stretch, and one left over
STEADY = sample_result(PLAN, [6e6], 20).intervals
(FLOW,) = STEADY.flows


def test_a_long_run_is_shown_in_means_of_whole_intervals() -> None:
    rising = replace(FLOW, delivered_bits_per_s=tuple(float(index) for index in range(400)))
    bins = bins_of(replace(STEADY, flows=(rising,)), PLAN.duration_s)
    assert len(bins.time_s) == 133 <= MOST_BINS
    assert bins.time_s[:3] == pytest.approx([0.0, 0.3, 0.6])
    assert bins.delivered_bits_per_s[0][:2] == [1.0, 4.0]  # of 0, 1, 2 and of 3, 4, 5
    assert bins.most_bits_per_s == 24e6  # the capacity


def test_a_stretch_in_which_nothing_arrived_has_no_delay() -> None:
    outage = replace(FLOW, queueing_delay_mean_ms=(None, None, None, None, 8.0, None, *FLOW.queueing_delay_mean_ms[6:]))
    bins = bins_of(replace(STEADY, flows=(outage,)), PLAN.duration_s)
    assert bins.delay_ms[0][:3] == [None, 8.0, 10.0]
    assert bins.most_delay_ms == 10.0


def test_a_short_run_is_shown_as_it_was_recorded() -> None:
    assert bins_of(STEADY, 2.0).time_s[:2] == [0.0, 0.1]
