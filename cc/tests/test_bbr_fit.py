"""BBR-FIT's gain, its intervals and what it falls back to; all else is BBR v1's."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cc.decision import DecisionRequest, Learned
from cc.sender.bbr import Bbr, State
from cc.sender.bbr_fit import HISTORY, BbrFit, next_gain
from cc.simulation import FlowPlan, Network
from cc.tests.sim_flows import DELAY_S, clean_link

MSS = 1350


def network(decide: object = None, scheme: Bbr | None = None) -> Network:
    sender = BbrFit(max_datagram_bytes=MSS, rng=random.Random(1)) if scheme is None else scheme
    plan = FlowPlan(sender, name="bbr-fit")
    plan.decide = decide  # type: ignore[assignment]
    return Network(clean_link(queue_packets=60), [plan], return_delay_s=DELAY_S)


@pytest.mark.parametrize(
    ("gain", "action", "expected"),
    [(1.0, 10.0, 1.25), (1.0, -10.0, 0.8), (1.2, 2.0, 1.26), (1.05, -2.0, 1.0), (1.9, 10.0, 2.0), (0.55, -10.0, 0.5)],
)
def test_eq_1_within_the_range(gain: float, action: float, expected: float) -> None:
    assert next_gain(gain, action) == pytest.approx(expected)


def test_without_answers_it_is_bbr() -> None:
    fit, bbr = network(), network(scheme=Bbr(max_datagram_bytes=MSS, rng=random.Random(1)))
    for each in (fit, bbr):
        each.run_until(10.0)
    assert fit.flows[0].window == bbr.flows[0].window
    scheme = fit.flows[0].plan.scheme
    assert isinstance(scheme, BbrFit)
    assert scheme.decisions.decided == 0
    assert scheme.decisions.late > 100


def test_six_decisions_a_cycle_of_eight_round_trips() -> None:
    asked: list[DecisionRequest] = []

    def decide(request: DecisionRequest) -> float:
        asked.append(request)
        return 0.0

    run = network(decide)
    run.run_until(9.9)  # before ProbeRTT
    scheme = run.flows[0].plan.scheme
    assert isinstance(scheme, BbrFit)
    assert isinstance(scheme, Learned)
    assert scheme.decisions.late == scheme.decisions.failed == 0
    assert [request.sequence for request in asked] == list(range(len(asked)))
    starts_s = [request.measured.start_s for request in asked if request.measured is not None]
    gaps_s = [after - before for before, after in pairwise(starts_s)]
    assert sum(gap > 0.1 for gap in gaps_s) == pytest.approx(len(gaps_s) / 6, abs=2)  # the probe and the drain
    assert all(len(request.observation) == 3 * HISTORY for request in asked)
    send_ratio, gradient, latency_ratio = asked[-1].observation[-3:]
    assert 0.8 < send_ratio < 1.2
    assert abs(gradient) < 0.3
    assert 1.0 <= latency_ratio < 2.0


def test_a_decision_paces_what_follows_and_a_silence_ends_it() -> None:
    scheme = BbrFit(max_datagram_bytes=MSS, rng=random.Random(1))
    run = network(scheme=scheme)
    flow = run.run_until_request(10.0)
    assert flow is not None
    assert scheme.state is State.PROBE_BW
    request = scheme.request
    assert request is not None
    flow.answer(request.sequence, 4.0, now_s=run.now_s)
    assert scheme.pacing_gain == pytest.approx(1.1)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(1.1 * 0.99 * scheme.bandwidth_bytes_per_s)
    assert run.run_until_request(10.0) is flow
    assert scheme.pacing_gain == pytest.approx(1.1)  # the answer may still come
    run.run_until(run.now_s + 0.02)
    assert scheme.pacing_gain == 1.0
    request = scheme.request
    assert request is not None
    flow.answer(request.sequence, float("nan"), now_s=run.now_s)
    assert scheme.pacing_gain == 1.0
    assert scheme.decisions.failed == 1


def test_more_gain_keeps_more_in_the_queue() -> None:
    delays_s = []
    for action in (-10.0, 10.0):
        run = network(lambda _request, action=action: action)
        run.run_until(8.0)
        delay = run.flows[0].record.delays(2.0, 8.0)
        assert delay is not None
        delays_s.append(delay.mean_s)
    assert delays_s[0] < 0.5 * delays_s[1]
