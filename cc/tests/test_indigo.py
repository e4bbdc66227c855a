"""Indigo's state and actions by numbers worked by hand; without answers it is CUBIC."""

from __future__ import annotations

import pytest

from cc.sender.cubic import Cubic
from cc.sender.indigo import Indigo, next_window_packets
from cc.tests.flow import MSS
from cc.tests.learned_flow import answer, is_asking, make_flow


@pytest.mark.parametrize(
    ("packets", "action", "following"),
    [(30, 0, 15), (30, 1, 20), (30, 2, 30), (30, 3, 40), (30, 4, 60), (5, 1, 2), (3, 0, 2), (4000, 4, 5000)],
)
def test_actions(packets: float, action: int, following: float) -> None:
    assert next_window_packets(packets, action) == following


def test_state_is_what_the_ack_tells() -> None:
    flow = make_flow(Indigo)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)
    # ten packets of 1000 bytes delivered in 100 ms, and nothing sent since: 0.8 and 0 Mbit/s, no queue
    assert answer(flow, None) == pytest.approx((0.0, 0.8, 0.0, 20.0, 0, 0, 0, 0, 1))


def test_the_last_action_is_shown_and_averages_begin_anew() -> None:
    flow = make_flow(Indigo)
    for _ in range(2):
        numbers = flow.fill_window()
        flow.wait()
        flow.ack(numbers)
        answer(flow, 2)
    # the window stays at 20 packets: the second step saw 20 of them in 100 ms, without an eighth of the first
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)
    state = answer(flow, None)
    assert state[1] == pytest.approx(1.6)
    assert state[4:] == (0, 0, 1, 0, 0)


def test_a_decision_sets_the_window() -> None:
    flow = make_flow(Indigo)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)
    answer(flow, 0)
    assert flow.scheme.cwnd_bytes == 10 * MSS  # half of 20


def test_without_answers_it_is_cubic() -> None:
    flows = [make_flow(Indigo), make_flow(Cubic)]
    for flow in flows:
        for round_trip in range(20):
            numbers = flow.fill_window()
            flow.wait()
            if round_trip % 6 == 5:
                flow.lose(numbers[:1])
                numbers = numbers[1:]
            flow.ack(numbers)
            if is_asking(flow):
                answer(flow, None)
    assert flows[0].scheme.cwnd_bytes == flows[1].scheme.cwnd_bytes
