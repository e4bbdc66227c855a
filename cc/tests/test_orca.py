"""Orca's state and action by numbers worked by hand; 4^0, or no answer, leaves CUBIC what it is."""

from __future__ import annotations

import pytest

from cc.sender.cubic import Cubic
from cc.sender.orca import INTERVAL_S, Orca, delay_metric
from cc.tests.flow import MSS, Flow
from cc.tests.learned_flow import answer, is_asking, make_flow


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
    flow = make_flow(Orca)
    round_trip(flow)  # 10 packets in 100 ms: 100 kB/s; the window has doubled
    assert answer(flow, None) == pytest.approx((1.0, 20_000 / 0.1 / 100_000, 0.0, 0.5, 0.1, 1.0, 1.0))


def test_losses_count_five_times() -> None:
    flow = make_flow(Orca)
    round_trip(flow)
    answer(flow, None)
    round_trip(flow, lost=4)  # 16 of 20 arrive: 160 kB/s, the best yet; 40 kB/s are lost
    throughput, _, loss, *_ = answer(flow, None)
    assert (throughput, loss) == pytest.approx((1.0, 5 * 40 / 160))


@pytest.mark.parametrize(("action", "packets"), [(0.5, 40), (-0.5, 10), (0.0, 20), (1.0, 30)])
def test_an_action_multiplies_the_window_up_to_three_round_trips(action: float, packets: int) -> None:
    flow = make_flow(Orca)
    round_trip(flow)
    answer(flow, action)
    allowed = min(packets, 30)  # three times the ten that the round trip delivered
    assert flow.scheme.cwnd_bytes == allowed * MSS


@pytest.mark.parametrize("action", [0.0, None], ids=["4^0", "no answer"])
def test_it_is_cubic(action: float | None) -> None:
    orca, cubic = make_flow(Orca), make_flow(Cubic)
    for turn in range(30):
        for flow in (orca, cubic):
            round_trip(flow, lost=turn % 7 == 6)
        answer(orca, action)
        assert orca.scheme.cwnd_bytes == cubic.scheme.cwnd_bytes


def test_cubics_curve_moves_with_the_window() -> None:
    flow = make_flow(Orca)
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
    flow = make_flow(Orca)
    asked = 0
    for _ in range(40):
        numbers = flow.send(1)
        flow.wait(INTERVAL_S / 4)
        flow.ack(numbers)
        if is_asking(flow):
            answer(flow, 0.0)
            asked += 1
    assert asked == 10
