"""Aurora's state and action by numbers worked by hand; without answers it is Vivace."""

from __future__ import annotations

from itertools import pairwise

import pytest

from cc.core.interval import IntervalMeasurement
from cc.sender.pcc.aurora import HISTORY, Aurora, latency_inflation, next_rate, send_ratio
from cc.sender.pcc.vivace import PccVivace
from cc.tests.flow import MSS, Flow
from cc.tests.learned_flow import answer, is_asking, make_flow


def round_trip(flow: Flow, *, packets: int = 10, rtt_s: float = 0.1) -> None:
    numbers = flow.send(packets)
    flow.wait()
    flow.ack(numbers, rtt_s=rtt_s)


def measured(sent_bytes: int, acked_bytes: int) -> IntervalMeasurement:
    return IntervalMeasurement(0.0, 0.1, sent_bytes, acked_bytes, 0, None, None, None)


@pytest.mark.parametrize(("action", "rate"), [(0.0, 1000), (4.0, 1100), (-4.0, 1000 / 1.1), (5.0, 1125)])
def test_a_rise_and_a_fall_undo_each_other(action: float, rate: float) -> None:
    assert next_rate(1000, action) == pytest.approx(rate)
    assert next_rate(next_rate(1000, action), -action) == pytest.approx(1000)


def test_latency_inflation_compares_halves() -> None:
    assert latency_inflation([0.100, 0.102, 0.106, 0.108], 0.1) == pytest.approx(0.06)
    assert latency_inflation([0.1, 0.2, 0.3], 0.1) == pytest.approx(1.5)  # 0.25 less 0.1
    assert latency_inflation([0.1], 0.1) == 0.0
    assert latency_inflation([], 0.1) == 0.0


@pytest.mark.parametrize(("sent", "acked", "ratio"), [(3000, 2000, 1.5), (0, 2000, 0.0), (3000, 0, 1.0), (0, 0, 1.0)])
def test_send_ratio(sent: int, acked: int, ratio: float) -> None:
    assert send_ratio(measured(sent, acked)) == ratio


def test_state_of_an_interval() -> None:
    flow = make_flow(Aurora)
    round_trip(flow)
    assert answer(flow, 0.0) == pytest.approx((0.0, 1.0, 1.0))
    round_trip(flow, packets=4, rtt_s=0.15)
    assert answer(flow, 0.0) == pytest.approx((0.0, 1.5, 1.0))


def test_history_begins_with_intervals_in_which_nothing_happened() -> None:
    flow = make_flow(Aurora)
    round_trip(flow)
    scheme = flow.scheme
    assert isinstance(scheme, Aurora)
    assert scheme.request is not None
    assert scheme.request.observation == pytest.approx((0.0, 1.0, 1.0) * HISTORY)


def test_a_decision_moves_the_rate_and_the_pace() -> None:
    flow = make_flow(Aurora)
    round_trip(flow)  # ten packets in the first RTT
    answer(flow, 4.0)
    assert flow.scheme.pacing_rate_bytes_per_s == pytest.approx(1.1 * 10 * MSS / 0.1)
    assert flow.scheme.cwnd_bytes == pytest.approx(2 * 1.1 * 10 * MSS, abs=1)


def test_no_action_lifts_the_rate_above_three_times_what_was_delivered() -> None:
    flow = make_flow(Aurora)
    rates = []
    for _ in range(40):
        round_trip(flow, packets=10)
        answer(flow, 5.0)
        rates.append(flow.scheme.pacing_rate_bytes_per_s or 0.0)
    assert rates[-1] == pytest.approx(3 * 10 * MSS / 0.1)
    assert all(before <= after for before, after in pairwise(rates))


def test_it_falls_back_to_vivace_and_asks_on() -> None:
    flow = make_flow(Aurora)
    round_trip(flow)
    answer(flow, 1.0)
    round_trip(flow)
    assert flow.scheme.log_fields()["decisions_made"] == 1.0
    round_trip(flow)  # nobody answered
    round_trip(flow)
    scheme = flow.scheme
    assert isinstance(scheme, Aurora)
    assert scheme.decisions.uses_heuristic
    assert scheme._intervals.current is not None  # Vivace's trials are under way
    answer(flow, 1.0)
    assert scheme._intervals.current is None


def test_without_answers_it_is_vivace() -> None:
    flows = [make_flow(Aurora), make_flow(PccVivace)]
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
    assert flows[0].scheme.pacing_rate_bytes_per_s == flows[1].scheme.pacing_rate_bytes_per_s
