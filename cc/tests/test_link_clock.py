"""mahimahi's whole milliseconds, by hand; and that nothing overtakes, whatever is drawn."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.links.clock import WAKING_S, LinkClocks, PollingProcess
from cc.simulation.way_back import WayBack

seeds = st.integers(0, 1000)
times_s = st.lists(st.floats(0, 30), min_size=2, max_size=30).map(sorted)


class Constant(random.Random):
    """Always the same number."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self._value = value

    def random(self) -> float:
        return self._value


def test_what_is_due_waits_for_the_process_to_wake() -> None:
    process = PollingProcess(Constant(0.5), waking_s=0.0002)
    assert process.lateness_s(0.010) == pytest.approx(0.0007)


def test_a_packet_handed_on_within_its_millisecond_counts_as_of_that_one() -> None:
    process = PollingProcess(Constant(0.79), waking_s=0.0002)
    assert process.counted_s(0.0103) == 0.0103


def test_one_handed_on_after_the_next_has_begun_counts_as_of_the_next() -> None:
    process = PollingProcess(Constant(0.81), waking_s=0.0002)
    assert process.counted_s(0.0103) == pytest.approx(0.011)


@settings(derandomize=True, max_examples=60)
@given(seed=seeds, read_s=times_s)
def test_a_process_keeps_the_order(seed: int, read_s: list[float]) -> None:
    process = PollingProcess(random.Random(seed))
    counted_s = [process.counted_s(each_s) for each_s in read_s]
    assert counted_s == sorted(counted_s)
    assert all(0 <= counted - read <= 0.00100001 for counted, read in zip(counted_s, read_s, strict=True))
    due_s = [round(each_s * 1000) / 1000 for each_s in read_s]
    handed_on_s = [each_s + process.lateness_s(each_s) for each_s in due_s]
    assert handed_on_s == sorted(handed_on_s)


def test_the_way_back_without_a_trace_only_delays() -> None:
    assert WayBack(0.02).arrival_s(1.5) == 1.52


@pytest.mark.parametrize(("sent_ms", "arrival_ms"), [(4, 15), (10, 25), (19.5, 25), (20, 35), (45, 55)])
def test_what_goes_back_takes_the_next_opportunity(sent_ms: float, arrival_ms: float) -> None:
    way_back = WayBack(0.005, opportunities_ms=[10, 20])
    assert way_back.arrival_s(sent_ms / 1000) == pytest.approx(arrival_ms / 1000)


def test_mahimahis_clocks_make_it_late_twice() -> None:
    """Above 1 ms at mm-link, so that mm-delay counts from the next millisecond, and as much at mm-delay."""
    clocks = LinkClocks.drawn(Constant(0.9))
    way_back = WayBack(0.005, opportunities_ms=[10, 20], clock=clocks.up)
    assert way_back.arrival_s(0.004) == pytest.approx(0.010 + 0.001 + 0.005 + 0.0009 + WAKING_S)


def test_on_the_way_down_the_delay_comes_first() -> None:
    """Above 1 ms at mm-delay, so that mm-link counts from the next millisecond, and as much at mm-link."""
    down = LinkClocks.drawn(Constant(0.9)).down
    assert down.entered_s(0.0042) == pytest.approx(0.005)
    assert down.late_s(0.010) == pytest.approx(0.0009 + WAKING_S)


def test_a_way_back_refuses_a_trace_that_mahimahi_would_refuse() -> None:
    with pytest.raises(ValueError, match="go back"):
        WayBack(0.005, opportunities_ms=[10, 5])


@settings(derandomize=True, max_examples=60)
@given(seed=seeds, sent_s=times_s, gaps_ms=st.lists(st.integers(0, 50), min_size=1, max_size=20))
def test_nothing_overtakes_on_the_way_back(seed: int, sent_s: list[float], gaps_ms: list[int]) -> None:
    trace_ms = [1 + sum(gaps_ms[: index + 1]) for index in range(len(gaps_ms))]
    way_back = WayBack(0.02, opportunities_ms=trace_ms, clock=LinkClocks.drawn(random.Random(seed)).up)
    arrivals_s = [way_back.arrival_s(each_s) for each_s in sent_s]
    assert arrivals_s == sorted(arrivals_s)
    assert all(arrival_s - each_s >= 0.02 for arrival_s, each_s in zip(arrivals_s, sent_s, strict=True))
