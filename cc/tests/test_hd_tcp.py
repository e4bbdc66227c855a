"""Hd-TCP's state and actions by numbers worked by hand; without answers it is CUBIC."""

from __future__ import annotations

import pytest

from cc.sender.cubic import Cubic
from cc.sender.hd_tcp import ACTIONS, INTERVAL_S, LONGEST_PAUSE_S, HdTcp, is_handover
from cc.tests.flow import MSS, Flow
from cc.tests.learned_flow import answer, is_asking, make_flow

KEEP = ACTIONS.index(1.0)


def round_trip(flow: Flow, *, lost: int = 0) -> None:
    numbers = flow.fill_window()
    flow.wait()
    if lost:
        flow.lose(numbers[:lost])
    flow.ack(numbers[lost:])


@pytest.mark.parametrize(("gap_s", "rtt_s", "handover"), [(0.3, 0.1, True), (0.15, 0.1, False), (0.3, 0.0, False)])
def test_a_handover_is_a_gap_longer_than_one_and_a_half_round_trips(gap_s: float, rtt_s: float, handover: bool) -> None:
    assert is_handover(gap_s, rtt_s) == handover


def test_state_is_over_the_best_of_rate_and_round_trip() -> None:
    flow = make_flow(HdTcp)
    round_trip(flow)  # ten packets in 100 ms: 100 kB/s, a product of ten packets; CUBIC's window has doubled
    assert answer(flow, KEEP) == pytest.approx((1.0, 1.0, 2.0, 0.0, 1.0, LONGEST_PAUSE_S))
    round_trip(flow, lost=5)  # 15 of 20 arrive
    assert answer(flow, KEEP)[:5] == pytest.approx((1.0, 1.0, 20 / 15, 0.25, 1.0))


def test_it_is_told_how_long_ago_a_handover_ended() -> None:
    flow = make_flow(HdTcp)
    round_trip(flow)
    answer(flow, KEEP)
    numbers = flow.fill_window()
    flow.wait(0.35)
    flow.ack(numbers[:1])  # after three and a half round trips
    *_, gap, since_s = answer(flow, KEEP)
    assert (gap, since_s) == pytest.approx((3.5, 0.0))
    flow.wait(0.05)
    flow.ack(numbers[1:])
    *_, gap, since_s = answer(flow, KEEP)
    assert (gap, since_s) == pytest.approx((0.5, 0.05))


def test_a_pause_of_the_application_is_no_handover() -> None:
    flow = make_flow(HdTcp)
    round_trip(flow)
    answer(flow, KEEP)
    flow.wait(3.0)
    round_trip(flow)
    *_, gap, since_s = answer(flow, KEEP)
    assert (gap, since_s) == pytest.approx((1.0, LONGEST_PAUSE_S))


@pytest.mark.parametrize(("action", "packets"), [(0, 10), (1, 18), (KEEP, 20), (3, 22), (4, 30)])
def test_an_action_multiplies_the_window(action: int, packets: int) -> None:
    flow = make_flow(HdTcp)
    round_trip(flow)
    answer(flow, action)
    assert flow.scheme.cwnd_bytes == pytest.approx(packets * MSS, abs=1)


def test_it_asks_every_20_ms() -> None:
    flow = make_flow(HdTcp)
    asked = 0
    for _ in range(40):
        numbers = flow.send(1)
        flow.wait(INTERVAL_S / 4)
        flow.ack(numbers)
        if is_asking(flow):
            answer(flow, KEEP)
            asked += 1
    assert asked == 10


def test_without_answers_it_is_cubic() -> None:
    flows = [make_flow(HdTcp), make_flow(Cubic)]
    for flow in flows:
        for turn in range(20):
            round_trip(flow, lost=turn % 6 == 5)
            if is_asking(flow):
                answer(flow, None)
    assert flows[0].scheme.cwnd_bytes == flows[1].scheme.cwnd_bytes
