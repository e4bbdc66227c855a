"""The windowed filters against the plain definition, and rounds by hand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc.core.rounds import RoundCounter
from cc.core.windowed_filter import WindowedMaximum, WindowedMinimum
from cc.sender.newreno import NewReno
from cc.tests.flow import MSS, Flow

STEPS = st.lists(st.tuples(st.floats(0, 5), st.floats(-1e6, 1e6)), min_size=1, max_size=60)


@given(steps=STEPS, window=st.floats(0, 10))
def test_extremes_are_those_of_the_window(steps: list[tuple[float, float]], window: float) -> None:
    largest, smallest = WindowedMaximum(window), WindowedMinimum(window)
    seen: list[tuple[float, float]] = []
    at = 0.0
    for step, value in steps:
        at += step
        seen.append((at, value))
        young = [value for time, value in seen if time >= at - window]
        assert largest.update(value, at=at) == largest.best == max(young)
        assert smallest.update(value, at=at) == smallest.best == min(young)


def test_what_is_too_old_is_forgotten() -> None:
    largest = WindowedMaximum(10)
    assert largest.best is None
    largest.update(5, at=0)
    largest.expire(at=10)
    assert largest.best == 5
    largest.expire(at=10.5)
    assert largest.best is None
    smallest = WindowedMinimum(10)
    assert smallest.best is None
    smallest.window = 2
    assert smallest.window == 2
    smallest.update(3, at=0)
    assert smallest.update(4, at=1) == 3
    assert smallest.update(4, at=3) == pytest.approx(4)


def test_a_round_ends_with_a_packet_sent_in_it() -> None:
    flow = Flow(NewReno(max_datagram_bytes=MSS, rng=random.Random(1)))
    rounds = RoundCounter()
    first = flow.send(4)
    flow.wait()
    events = [flow.ack([number]) for number in first]
    assert [rounds.on_ack(event) for event in events if event is not None] == [True, False, False, False]
    second = flow.send(2)
    flow.wait()
    events = [flow.ack([number]) for number in second]
    assert [rounds.on_ack(event) for event in events if event is not None] == [True, False]
    assert rounds.count == 2
