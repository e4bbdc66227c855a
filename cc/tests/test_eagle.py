"""Eagle's state, actions and teacher by numbers worked by hand; without answers it is BBR."""

from __future__ import annotations

import pytest

from cc.core.base import Phase
from cc.sender.bbr.bbr import HIGH_GAIN, Bbr, State
from cc.sender.bbr.eagle import ACTIONS, Eagle
from cc.tests.flow import MSS, Flow
from cc.tests.learned_flow import answer, is_asking, make_flow

KEEP = ACTIONS.index(1.0)


def eagle_of(flow: Flow) -> Eagle:
    assert isinstance(flow.scheme, Eagle)
    return flow.scheme


def round_trip(flow: Flow, *, packets: int = 10, rtt_s: float = 0.1) -> None:
    numbers = flow.send(packets)
    flow.wait()
    flow.ack(numbers, rtt_s=rtt_s)


def test_each_action_undoes_another() -> None:
    assert [a * b for a, b in zip(ACTIONS, reversed(ACTIONS), strict=True)] == pytest.approx([1.0] * 7)


def test_the_teacher_wants_its_gain_of_the_product() -> None:
    flow = make_flow(Eagle)
    round_trip(flow)  # ten packets in 100 ms: a product of ten, and three quanta of two packets at above 150 kB/s
    assert eagle_of(flow).state is State.STARTUP
    assert eagle_of(flow).taught_window_bytes() == pytest.approx(HIGH_GAIN * 10 * MSS + 3 * 2 * MSS)
    eagle_of(flow).state = State.PROBE_RTT
    assert eagle_of(flow).taught_window_bytes() == 4 * MSS


def test_state_of_an_interval() -> None:
    flow = make_flow(Eagle)
    round_trip(flow)
    window = flow.scheme.cwnd_bytes / (10 * MSS + 3 * 2 * MSS)
    assert answer(flow, KEEP) == pytest.approx((HIGH_GAIN, window, 1.0, 1.0, 0.0))
    numbers = flow.send(8)
    flow.wait(0.25)
    flow.lose(numbers[:2])
    flow.ack(numbers[2:], rtt_s=0.2)
    _, _, throughput, delay, loss = answer(flow, KEEP)
    assert (throughput, delay, loss) == pytest.approx((0.24, 0.5, 0.25))


@pytest.mark.parametrize(("action", "factor"), [(1, 1.5), (2, 1.05), (3, 1.0), (4, 1 / 1.05), (6, 1 / 2.89)])
def test_an_action_multiplies_the_window_and_leaves_the_pace_to_it(action: int, factor: float) -> None:
    flow = make_flow(Eagle)
    round_trip(flow)
    before = flow.scheme.cwnd_bytes
    answer(flow, action)
    assert flow.scheme.cwnd_bytes == pytest.approx(before * factor, abs=1)
    assert flow.scheme.pacing_rate_bytes_per_s is None
    assert flow.scheme.phase is Phase.AVOIDANCE


def test_no_action_lifts_the_window_above_three_round_trips() -> None:
    flow = make_flow(Eagle)
    for _ in range(10):
        round_trip(flow)
        answer(flow, 0)
    assert flow.scheme.cwnd_bytes == 30 * MSS


def test_persistent_congestion_leaves_two_packets() -> None:
    flow = make_flow(Eagle)
    round_trip(flow)
    answer(flow, KEEP)
    flow.lose(flow.send(5), is_persistent_congestion=True)
    assert flow.scheme.cwnd_bytes == 2 * MSS


def test_bbr_takes_over_where_no_answer_comes() -> None:
    flow = make_flow(Eagle)
    round_trip(flow)
    answer(flow, 6)
    round_trip(flow)
    round_trip(flow)  # nobody answered
    assert flow.scheme.pacing_rate_bytes_per_s is not None
    assert flow.scheme.phase is Phase.SLOW_START


def test_without_answers_it_is_bbr() -> None:
    flows = [make_flow(Eagle), make_flow(Bbr)]
    for flow in flows:
        for turn in range(30):
            numbers = flow.fill_window(most_packets=200)
            flow.wait()
            if turn % 6 == 5:
                flow.lose(numbers[:1])
                numbers = numbers[1:]
            flow.ack(numbers, rtt_s=0.1 + 0.002 * (turn % 4))
            if is_asking(flow):
                answer(flow, None)
    assert flows[0].scheme.cwnd_bytes == flows[1].scheme.cwnd_bytes
    assert flows[0].scheme.pacing_rate_bytes_per_s == flows[1].scheme.pacing_rate_bytes_per_s
