"""ZiXia's features, decisions and actions, worked by hand; without answers it is CUBIC."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cc.core.base import Phase, RttState
from cc.core.decision import DecisionRequest, Learned
from cc.sender.cubic import Cubic
from cc.sender.zixia import ACTIONS, FEATURES, HISTORY, Zixia
from cc.simulation import FlowPlan, Network
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S, clean_link

STAY = ACTIONS.index(0.0)
RISE = ACTIONS.index(0.25)
FALL = 0


def network(decide: object = None, scheme: Cubic | None = None) -> Network:
    sender = Zixia(max_datagram_bytes=MSS, rng=random.Random(1)) if scheme is None else scheme
    plan = FlowPlan(sender, name="zixia")
    plan.decide = decide  # type: ignore[assignment]
    return Network(clean_link(queue_packets=60), [plan], return_delay_s=DELAY_S)


def decided_flow(action: int = STAY) -> tuple[Flow, Zixia]:
    """Ten packets were delivered in a round trip of 100 ms, and a first decision taken."""
    scheme = Zixia(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    numbers = flow.send(10)
    flow.wait(0.1)
    flow.ack(numbers, rtt_s=0.1)
    assert scheme.request is not None
    scheme.on_decision(scheme.request.sequence, action)
    return flow, scheme


def asks(flow: Flow, scheme: Zixia, *, at_s: float) -> bool:
    """Whether an ACK that comes then asks the policy."""
    asked = scheme.decisions.asked
    flow.now_s = at_s
    flow.ack(flow.send(1))
    return scheme.decisions.asked > asked


def test_seven_actions_whose_falls_undo_their_rises() -> None:
    assert len(ACTIONS) == 7
    assert all(-1 <= action <= 1 for action in ACTIONS)
    assert [(1 + fall) * (1 + rise) for fall, rise in zip(ACTIONS, reversed(ACTIONS), strict=True)] == pytest.approx(
        [1.0] * 7
    )


def test_without_answers_it_is_cubic() -> None:
    zixia, cubic = network(), network(scheme=Cubic(max_datagram_bytes=MSS, rng=random.Random(1)))
    for each in (zixia, cubic):
        each.run_until(10.0)
    assert zixia.flows[0].window == cubic.flows[0].window
    scheme = zixia.flows[0].plan.scheme
    assert isinstance(scheme, Zixia)
    assert scheme.decisions.decided == 0
    assert scheme.decisions.late > 500


def test_a_decision_every_10_ms() -> None:
    asked: list[DecisionRequest] = []

    def decide(request: DecisionRequest) -> float:
        asked.append(request)
        return STAY

    run = network(decide)
    run.run_until(5.0)
    scheme = run.flows[0].plan.scheme
    assert isinstance(scheme, Zixia)
    assert isinstance(scheme, Learned)
    assert scheme.decisions.late == scheme.decisions.failed == 0
    durations_s = [request.observation[-1] for request in asked]
    gaps_s = [after - before for before, after in pairwise(durations_s)]
    assert min(gaps_s) > 0
    assert len(asked) <= 5.0 / 0.010 + 1
    assert all(len(request.observation) == len(FEATURES) * HISTORY for request in asked)


def test_a_late_ack_does_not_shift_the_later_decisions() -> None:
    flow, scheme = decided_flow()
    began_s = flow.now_s
    times_s = (0.0095, 0.013, 0.0195, 0.0205, 0.0295, 0.0305)
    assert [asks(flow, scheme, at_s=began_s + time_s) for time_s in times_s] == [False, True] * 3


def test_after_a_long_silence_the_grid_begins_anew() -> None:
    flow, scheme = decided_flow()
    began_s = flow.now_s
    times_s = (0.0535, 0.0605, 0.0630, 0.0640, 0.0730, 0.0740)
    assert [asks(flow, scheme, at_s=began_s + time_s) for time_s in times_s] == [True, False, False, True, False, True]


def test_the_features_of_table_i() -> None:
    flow, scheme = decided_flow()
    numbers = flow.send(20)
    flow.wait(0.2)
    rtt = RttState(latest_s=0.2, smoothed_s=0.1, min_s=0.1, variance_s=0.0)
    event = flow.ledger.on_packets_acked(
        numbers[:10], now_s=flow.now_s, rtt=rtt, has_rtt_sample=True, cwnd_bytes=scheme.cwnd_bytes
    )
    assert event is not None
    scheme.on_ack(event)
    assert scheme.request is not None
    # Ten packets were delivered in 100 ms, none was sent between the tenth and its ACK; slow start doubled the window.
    assert scheme.request.observation[-10:-5] == pytest.approx((0.0, 100 * MSS, 0.0, 20 * MSS, 0.1))
    # 100 ms of queue; ten packets delivered, and ten sent, between the twentieth and its ACK 200 ms later; the window
    # stays. Each counts for an eighth: 100 + (50 - 100) / 8 and 0 + 50 / 8 packets a second.
    assert scheme.request.observation[-5:] == pytest.approx((0.0125, 93.75 * MSS, 6.25 * MSS, 20 * MSS, 0.3))


@pytest.mark.parametrize(("action", "factor"), [(0, 0.8), (1, 1 / 1.1), (2, 1 / 1.02), (3, 1), (4, 1.02), (5, 1.1)])
def test_eq_3(action: int, factor: float) -> None:
    _, before = decided_flow()
    _, after = decided_flow(action)
    assert after.cwnd_bytes == pytest.approx(before.cwnd_bytes * factor, abs=1)
    assert after.phase is Phase.AVOIDANCE


def test_no_window_above_three_times_what_a_round_trip_delivers() -> None:
    flow, scheme = decided_flow()
    for _ in range(10):
        flow.wait(0.01)
        flow.ack(flow.send(1), rtt_s=0.1)
        assert scheme.request is not None
        scheme.on_decision(scheme.request.sequence, RISE)
    assert scheme.cwnd_bytes <= max(20 * MSS * 1.25, 3 * 10 * MSS)


def test_a_source_that_pauses_lifts_no_window() -> None:
    flow, scheme = decided_flow()
    before = scheme.cwnd_bytes
    for _ in range(10):
        flow.ledger.mark_app_limited()
        numbers = flow.send(1)
        flow.wait()
        flow.ack(numbers)
        assert scheme.request is not None
        scheme.on_decision(scheme.request.sequence, RISE)
    assert scheme.cwnd_bytes == before


def test_a_loss_is_the_policys_business_but_not_an_outage() -> None:
    flow, scheme = decided_flow()
    before = scheme.cwnd_bytes
    flow.lose(flow.send(3)[:1])
    assert scheme.cwnd_bytes == before
    flow.lose(flow.send(2), is_persistent_congestion=True)
    assert scheme.cwnd_bytes == 2 * MSS


def test_a_silence_hands_over_to_cubic_and_an_answer_takes_over_again() -> None:
    flow, scheme = decided_flow(FALL)
    numbers = flow.send(8)
    flow.wait(0.1)
    flow.ack(numbers[:2])
    assert scheme.request is not None  # nobody answers
    before = scheme.cwnd_bytes
    flow.wait(0.003)
    flow.ack(numbers[2:5])
    assert scheme.decisions.uses_heuristic
    flow.lose(numbers[5:6])
    assert scheme.cwnd_bytes == pytest.approx(0.7 * before, rel=0.05)
    assert scheme.request is not None
    window = scheme.cwnd_bytes
    scheme.on_decision(scheme.request.sequence, FALL)
    assert scheme.cwnd_bytes == pytest.approx(0.8 * window, abs=1)
    assert not scheme.decisions.uses_heuristic


def test_an_ack_under_the_policy_ends_the_recovery_that_cubic_began() -> None:
    scheme = Zixia(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    numbers = flow.send(10)
    flow.wait()
    flow.lose(numbers[:1])
    flow.ack(numbers[1:9])  # which were sent before the cut
    phases = [scheme.phase]
    assert scheme.request is not None
    scheme.on_decision(scheme.request.sequence, STAY)
    flow.ack(numbers[9:])
    phases.append(scheme.phase)
    assert phases == [Phase.RECOVERY, Phase.AVOIDANCE]


def test_more_rises_keep_more_in_the_queue() -> None:
    delays_s = []
    for limit_s in (0.005, 0.060):
        run = network(lambda request, limit_s=limit_s: FALL if request.observation[-5] > limit_s else RISE)
        run.run_until(8.0)
        delay = run.flows[0].record.delays(2.0, 8.0)
        assert delay is not None
        delays_s.append(delay.mean_s)
    assert delays_s[0] < 0.5 * delays_s[1]
