"""Orca's state and action by numbers worked by hand; 4^0, or no answer, leaves CUBIC what it is."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.sender.cubic import Cubic
from cc.sender.orca import INTERVAL_S, Orca, delay_metric
from cc.simulation import FlowPlan, Network
from cc.tests.flow import MSS, Flow
from cc.tests.learned_flow import answer, is_asking, make_flow
from cc.tests.sim_flows import DELAY_S, clean_link


def after_slow_start() -> Flow:
    flow = make_flow(Orca)
    assert isinstance(flow.scheme, Orca)
    flow.scheme.end_slow_start()
    return flow


def round_trip(flow: Flow, *, rtt_s: float = 0.1, lost: int = 0) -> None:
    numbers = flow.fill_window()
    flow.wait()
    if lost:
        flow.lose(numbers[:lost])
    flow.ack(numbers[lost:], rtt_s=rtt_s)


@pytest.mark.parametrize(("delay_s", "metric"), [(0.1, 1.0), (0.125, 1.0), (0.25, 0.5)])
def test_delay_counts_beyond_a_margin_of_a_quarter(delay_s: float, metric: float) -> None:
    assert delay_metric(0.1, delay_s) == pytest.approx(metric)


def test_state_is_over_the_best_rate_and_the_window() -> None:
    flow = after_slow_start()
    round_trip(flow)  # 10 packets in 100 ms: 100 kB/s; the window has grown by one
    assert answer(flow, None) == pytest.approx((1.0, 11_000 / 0.1 / 100_000, 0.0, 10 / 11, 0.1, 1.0, 1.0))


def test_losses_count_five_times() -> None:
    flow = after_slow_start()
    round_trip(flow)
    answer(flow, None)
    round_trip(flow, lost=1)  # 10 of 11 arrive: 100 kB/s; 10 kB/s are lost
    throughput, _, loss, *_ = answer(flow, None)
    assert (throughput, loss) == pytest.approx((1.0, 5 * 10 / 100))


@pytest.mark.parametrize(("action", "packets"), [(0.5, 22), (-0.5, 5.5), (0.0, 11), (1.0, 30)])
def test_an_action_multiplies_the_window_up_to_three_round_trips(action: float, packets: int) -> None:
    flow = after_slow_start()
    round_trip(flow)
    answer(flow, action)
    allowed = min(packets, 30)  # three times the ten that the round trip delivered
    assert flow.scheme.cwnd_bytes == pytest.approx(allowed * MSS, abs=1)


@pytest.mark.parametrize("action", [0.0, None], ids=["4^0", "no answer"])
def test_it_is_cubic(action: float | None) -> None:
    orca, cubic = make_flow(Orca), make_flow(Cubic)
    for turn in range(30):
        for flow in (orca, cubic):
            round_trip(flow, lost=turn % 7 == 6)
        assert is_asking(orca) == (turn >= 6)
        if is_asking(orca):
            answer(orca, action)
        assert orca.scheme.cwnd_bytes == cubic.scheme.cwnd_bytes


def test_what_is_asked_first_is_of_the_interval_that_ended_slow_start() -> None:
    flow = make_flow(Orca)
    round_trip(flow)
    assert not is_asking(flow)
    round_trip(flow, lost=1)
    assert answer(flow, None)[4] == pytest.approx(0.1)  # and not of slow start as a whole


def test_a_flow_without_losses_leaves_slow_start_whatever_the_policy_says() -> None:
    orca = Orca(max_datagram_bytes=MSS, rng=random.Random(1))
    network = Network(clean_link(queue_packets=2000), [FlowPlan(orca, decide=lambda _: -0.1)], return_delay_s=DELAY_S)
    network.run_until(10.0)
    assert network.flows[0].record.packets_lost == 0
    assert orca.phase is Phase.AVOIDANCE
    assert orca.decisions.decided > 300


def test_a_decision_leaves_the_slow_start_after_a_collapse_to_cubic() -> None:
    orca, cubic = make_flow(Orca), make_flow(Cubic)
    for flow in (orca, cubic):
        for _ in range(4):
            round_trip(flow)
        numbers = flow.fill_window()
        flow.wait()
        flow.lose(numbers[:-1], is_persistent_congestion=True)
        flow.ack(numbers[-1:], rtt_s=0.1)
    answer(orca, 0.0)
    assert orca.scheme.phase is cubic.scheme.phase is Phase.SLOW_START


def test_cubics_curve_moves_with_the_window() -> None:
    flow = after_slow_start()
    round_trip(flow)
    round_trip(flow, lost=1)
    before = flow.scheme.log_fields()["w_max_bytes"]
    window = flow.scheme.cwnd_bytes
    answer(flow, -0.5)
    after = flow.scheme.log_fields()["w_max_bytes"]
    assert before is not None
    assert after == pytest.approx(before / 2)
    assert flow.scheme.cwnd_bytes == window // 2


def test_it_asks_every_20_ms() -> None:
    flow = after_slow_start()
    asked = 0
    for _ in range(40):
        numbers = flow.send(1)
        flow.wait(INTERVAL_S / 4)
        flow.ack(numbers)
        if is_asking(flow):
            answer(flow, 0.0)
            asked += 1
    assert asked == 10
