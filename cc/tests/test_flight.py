"""Flights of several flows enter the bottleneck in the order of time, and by turns where times are equal."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from cc.simulation.flight import Flight, Turns

Steps = list[tuple[int, int]]
"""Of a flow: (time in ms, packets that leave then)."""


def flight_of(steps: Steps) -> Flight:
    flight = Flight(0, marks_steps=True)
    for time_ms, packets in steps:
        begin = len(flight.sent_s)
        flight.sent_s += [time_ms / 1000] * packets
        flight.sizes_bytes += [1200] * packets
        flight.end_step(begin, time_ms / 1000)
    return flight


def one_after_another(flows: list[Steps]) -> list[int]:
    """Whose packets enter, where each step is carried out by itself."""
    by_turn = list(range(len(flows)))
    left = [list(steps) for steps in flows]
    owners = []
    while any(left):
        due = [(left[index][0][0] if left[index] else math.inf) for index in range(len(flows))]
        first = min(by_turn, key=due.__getitem__)
        if due.count(due[first]) > 1:
            by_turn.remove(first)
            by_turn.append(first)
        owners += [first] * left[first].pop(0)[1]
    return owners


def test_a_step_in_which_nothing_leaves_is_marked_and_the_mark_dropped() -> None:
    flight = flight_of([(1, 2), (2, 0), (2, 1)])
    assert flight.sizes_bytes == [1200, 1200, 0, 0, 1200]
    flight.drop_marks()
    assert (flight.sizes_bytes, flight.sent_s) == ([1200] * 3, [0.001, 0.001, 0.002])


def test_who_had_a_turn_is_the_last_of_the_next() -> None:
    flights = [flight_of([(1, 1), (2, 1)]), flight_of([(1, 1), (2, 1)])]
    entry = Turns(2).merge([0, 1], flights, None)
    assert entry.owners == [0, 1, 1, 0]
    assert entry.entered_s == [0.001, 0.001, 0.002, 0.002]


def test_a_turn_without_a_packet_counts() -> None:
    flights = [flight_of([(1, 0), (2, 1)]), flight_of([(1, 1), (2, 1)])]
    assert Turns(2).merge([0, 1], flights, None).owners == [1, 1, 0]


steps = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), min_size=1, max_size=8).map(
    lambda each: sorted(each, key=lambda step: step[0])
)


@given(flows=st.lists(steps, min_size=1, max_size=4))
@settings(derandomize=True, max_examples=300)
def test_the_order_is_that_of_one_step_after_another(flows: list[Steps]) -> None:
    entry = Turns(len(flows)).merge(list(range(len(flows))), [flight_of(each) for each in flows], None)
    assert entry.owners == one_after_another(flows)
