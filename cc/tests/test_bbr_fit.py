"""BBR-FIT's gain, its intervals and what it falls back to; all else is BBR v1's."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cc.core.decision import DecisionRequest, Learned
from cc.sender.bbr.bbr import Bbr, State
from cc.sender.bbr.bbr_fit import HISTORY, BbrFit, next_gain
from cc.simulation import FlowPlan, Network
from cc.tests.flow import Flow
from cc.tests.same_number import SameNumber
from cc.tests.sim_flows import DELAY_S, clean_link

MSS = 1350
FOURTH_PHASE = SameNumber(0.75)
"""Has ProbeBW begin with its fourth phase, the second steady one (`Bbr.start_cycle`)."""


def network(decide: object = None, scheme: Bbr | None = None) -> Network:
    sender = BbrFit(max_datagram_bytes=MSS, rng=random.Random(1)) if scheme is None else scheme
    plan = FlowPlan(sender, name="bbr-fit")
    plan.decide = decide  # type: ignore[assignment]
    return Network(clean_link(queue_packets=60), [plan], return_delay_s=DELAY_S)


def round_trip(flow: Flow, packets: int = 20) -> None:
    """So many packets at once, acknowledged a little more than an RTT of 100 ms later: a steady phase is over."""
    numbers = flow.send(packets)
    flow.wait(0.11)
    flow.ack(numbers, rtt_s=0.1)


def answer(scheme: BbrFit, action: float) -> None:
    assert scheme.request is not None
    scheme.on_decision(scheme.request.sequence, action)


def gain_of_1_1() -> tuple[Flow, BbrFit]:
    """A pipe found full after three rounds without growth, a steady phase, and a first decision."""
    scheme = BbrFit(max_datagram_bytes=MSS, rng=FOURTH_PHASE)
    flow = Flow(scheme)
    for _ in range(5):
        round_trip(flow)
    answer(scheme, 4.0)
    assert scheme.state is State.PROBE_BW
    assert scheme.pacing_gain == pytest.approx(1.1)
    return flow, scheme


def after_probe_rtt() -> tuple[Flow, BbrFit]:
    """The smallest round-trip time is 10 s old; ProbeRTT lasts for 200 ms, here two round trips."""
    flow, scheme = gain_of_1_1()
    flow.wait(10.0)
    round_trip(flow, 4)
    answer(scheme, 0.0)  # to the phase that ended with the same ACK
    for _ in range(2):
        assert scheme.state is State.PROBE_RTT
        round_trip(flow, 4)
    assert (scheme.state, scheme.cycle_index) == (State.PROBE_BW, 3)
    return flow, scheme


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


def test_the_gain_begins_at_1_when_probe_bw_begins_again() -> None:
    _, scheme = after_probe_rtt()
    assert not scheme.decisions.uses_heuristic
    assert scheme.pacing_gain == 1.0
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(0.99 * scheme.bandwidth_bytes_per_s)


def test_the_gain_carries_over_to_the_next_cycle() -> None:
    scheme = BbrFit(max_datagram_bytes=MSS, rng=random.Random(1))
    run = network(lambda request: 4.0 if request.sequence == 0 else 0.0, scheme)
    phases, gains = set(), set()
    while run.now_s < 9.0:  # before ProbeRTT
        run.run_until(run.now_s + 0.01)
        if scheme.decisions.decided > 0:
            phases.add(scheme.cycle_index)
            gains.add(round(scheme.pacing_gain, 6))
    assert phases == set(range(8))
    assert gains == {1.25, 0.75, 1.1}


def test_no_interval_spans_probe_rtt() -> None:
    flow, scheme = after_probe_rtt()
    assert (scheme.request, scheme.decisions.asked) == (None, 2)
    began_s = flow.now_s
    round_trip(flow, 4)
    assert scheme.request is not None
    measured = scheme.request.measured
    assert measured is not None
    assert measured.start_s == began_s
    assert measured.sent_bytes == measured.acked_bytes == 4 * MSS


def test_the_gain_begins_at_1_after_the_heuristic_had_the_flow() -> None:
    flow, scheme = gain_of_1_1()
    round_trip(flow)
    round_trip(flow)  # and nobody answers
    assert (scheme.decisions.uses_heuristic, scheme.pacing_gain) == (True, 1.0)
    answer(scheme, 4.0)
    assert scheme.pacing_gain == pytest.approx(1.1)  # not 1.1 * 1.1
    round_trip(flow)
    answer(scheme, 4.0)
    assert scheme.pacing_gain == pytest.approx(1.21)  # but from decision to decision it adds up


def test_more_gain_keeps_more_in_the_queue() -> None:
    delays_s = []
    for action in (-10.0, 10.0):
        run = network(lambda _request, action=action: action)
        run.run_until(8.0)
        delay = run.flows[0].record.delays(2.0, 8.0)
        assert delay is not None
        delays_s.append(delay.mean_s)
    assert delays_s[0] < 0.5 * delays_s[1]
