"""TCP-Illinois against numbers worked by hand from its paper's section 3, with a largest queueing delay of 100 ms."""

from __future__ import annotations

import pytest

from cc.sender.illinois import Illinois, alpha_of, beta_of
from cc.tests.flow import MSS, Flow, flow_at


@pytest.mark.parametrize(
    ("delay_ms", "alpha"),
    # kappa1 = 99 * 3 / 9.7 = 30.6186, kappa2 = 99 * 0.3 / 9.7 - 1 = 2.06186: 30.6186 / (2.06186 + 10) = 2.5385
    [(0, 10), (1, 10), (10, 2.5385), (50, 0.58812), (100, 0.3)],
)
def test_alpha_falls_from_10_to_three_tenths(delay_ms: float, alpha: float) -> None:
    assert alpha_of(delay_ms / 1000, 0.1) == pytest.approx(alpha, rel=1e-4)


@pytest.mark.parametrize(("delay_ms", "beta"), [(0, 0.125), (10, 0.125), (45, 0.3125), (80, 0.5), (100, 0.5)])
def test_beta_rises_from_an_eighth_to_half(delay_ms: float, beta: float) -> None:
    assert beta_of(delay_ms / 1000, 0.1) == pytest.approx(beta)


def rounds(flow: Flow, *rtts_s: float) -> None:
    for rtt_s in rtts_s:
        flow.whole_window(rtt_s=rtt_s)


def test_a_long_queue_slows_it_and_makes_a_loss_cost_half() -> None:
    flow, scheme = flow_at(Illinois, 100)
    rounds(flow, 0.1, 0.2)
    assert (scheme.log_fields()["alpha"], scheme.log_fields()["beta"]) == pytest.approx((0.3, 0.5))
    before = scheme.cwnd_bytes
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == before // 2


def test_alpha_returns_to_10_after_five_short_rounds() -> None:
    flow, scheme = flow_at(Illinois, 100)
    rounds(flow, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1)
    assert scheme.log_fields()["alpha"] == pytest.approx(0.3)
    rounds(flow, 0.1)
    assert scheme.log_fields()["alpha"] == 10
    before = scheme.cwnd_bytes
    rounds(flow, 0.1)
    assert scheme.cwnd_bytes == pytest.approx(before + 10 * MSS, abs=100)


def test_short_queues_keep_seven_eighths() -> None:
    flow, scheme = flow_at(Illinois, 100)
    rounds(flow, 0.1, 0.1)
    before = scheme.cwnd_bytes
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == pytest.approx(before * 7 / 8, abs=1)


def test_is_reno_below_15_packets() -> None:
    flow, scheme = flow_at(Illinois, 10)
    rounds(flow, 0.1)
    assert scheme.cwnd_bytes == 11 * MSS
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 5_500
