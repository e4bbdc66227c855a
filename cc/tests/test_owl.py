"""Owl's actions, features and utility, and what it falls back to; all else is CUBIC's."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cc.core.base import Phase
from cc.core.decision import Decide, DecisionRequest, Learned
from cc.core.network_report import NetworkReport, SwitchCounts
from cc.sender.cubic import Cubic
from cc.sender.owl import ACTIONS, FEATURES, HISTORY, MOST_PACKETS, Owl, utility
from cc.simulation import FlowPlan, Network
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S, clean_link

KEEP = ACTIONS.index(0.0)
NAMES = [feature.name for feature in FEATURES]


def owl() -> Owl:
    return Owl(max_datagram_bytes=MSS, rng=random.Random(1))


def network(scheme: Cubic, decide: Decide | None = None) -> Network:
    plan = FlowPlan(scheme, name="owl", decide=decide)
    return Network(clean_link(queue_packets=60), [plan], return_delay_s=DELAY_S)


def asked(flow: Flow, *, packets: int | None = 10, rtt_s: float = 0.1) -> DecisionRequest:
    """One flight of packets (None: a full window), acknowledged: an interval."""
    numbers = flow.fill_window() if packets is None else flow.send(packets)
    flow.wait()
    flow.ack(numbers, rtt_s=rtt_s)
    scheme = flow.scheme
    assert isinstance(scheme, Owl)
    assert scheme.request is not None
    return scheme.request


def latest(request: DecisionRequest) -> dict[str, float]:
    return dict(zip(NAMES, request.observation[-len(NAMES) :], strict=True))


@pytest.mark.parametrize(
    ("delivered", "loss_ratio", "expected"),
    [(10.0, 0.0, 3.0), (10.0, 0.3, 0.0), (10.0, 0.5, -4.0), (0.0, 0.0, 0.0)],
)
def test_eq_4(delivered: float, loss_ratio: float, expected: float) -> None:
    # 10 - 0.7 * 10 = 3; 10 - 7 / 0.7 = 0; 10 - 7 / 0.5 = -4
    lost = delivered * loss_ratio / (1 - loss_ratio)
    assert utility(delivered, lost) == pytest.approx(expected)
    assert utility(delivered, lost) == pytest.approx(delivered - 0.7 * delivered / (1 - loss_ratio))


def test_the_utility_of_nothing_but_loss_is_finite() -> None:
    assert utility(0.0, 10.0) == pytest.approx(-7.0)


def test_without_answers_it_is_cubic() -> None:
    scheme = owl()
    learned, cubic = network(scheme), network(Cubic(max_datagram_bytes=MSS, rng=random.Random(1)))
    for each in (learned, cubic):
        each.run_until(10.0)
    assert learned.flows[0].window == cubic.flows[0].window
    assert scheme.decisions.decided == 0
    assert scheme.decisions.late > 100


@pytest.mark.parametrize(("index", "packets"), list(enumerate((-10, -3, -1, 0, 1, 3, 10))))
def test_eq_3(index: int, packets: int) -> None:
    flow = Flow(owl())
    assert isinstance(flow.scheme, Owl)
    for _ in range(3):  # to a window that ten packets can be taken from
        flow.scheme.on_decision(asked(flow, packets=None).sequence, len(ACTIONS) - 1)
    request = asked(flow, packets=None)
    before = flow.scheme.cwnd_bytes
    flow.scheme.on_decision(request.sequence, index)
    assert flow.scheme.cwnd_bytes == before + packets * MSS
    assert flow.scheme.phase is Phase.AVOIDANCE


def test_the_window_stays_between_two_packets_and_what_the_policy_sees() -> None:
    flow = Flow(owl())
    assert isinstance(flow.scheme, Owl)
    for _ in range(3):
        flow.scheme.on_decision(asked(flow, packets=2).sequence, 0)
    assert flow.scheme.cwnd_bytes == 2 * MSS
    for _ in range(MOST_PACKETS // 10 + 1):
        flow.scheme.on_decision(asked(flow, packets=None).sequence, len(ACTIONS) - 1)
    assert flow.scheme.cwnd_bytes == MOST_PACKETS * MSS


def test_no_window_above_three_times_what_a_round_trip_delivers() -> None:
    flow = Flow(owl())
    assert isinstance(flow.scheme, Owl)
    for _ in range(20):
        flow.scheme.on_decision(asked(flow, packets=12).sequence, len(ACTIONS) - 1)
    assert flow.scheme.cwnd_bytes == 36 * MSS


def test_an_unused_window_does_not_grow_but_may_shrink() -> None:
    flow = Flow(owl())
    assert isinstance(flow.scheme, Owl)
    flow.scheme.on_decision(asked(flow).sequence, KEEP)
    before = flow.scheme.cwnd_bytes
    for index, expected in ((len(ACTIONS) - 1, before), (2, before - MSS)):
        flow.ledger.mark_app_limited()
        flow.scheme.on_decision(asked(flow).sequence, index)
        assert flow.scheme.cwnd_bytes == expected


def test_losses_are_the_policys_affair_until_it_falls_silent() -> None:
    flow = Flow(owl())
    scheme = flow.scheme
    assert isinstance(scheme, Owl)
    scheme.on_decision(asked(flow).sequence, KEEP)
    numbers = flow.send(10)
    flow.wait()
    before = scheme.cwnd_bytes
    flow.lose(numbers[:1])
    assert scheme.cwnd_bytes == before
    flow.ack(numbers[1:])  # asks, and is not answered
    numbers = flow.send(10)
    flow.wait()
    flow.lose(numbers[:1])
    assert scheme.cwnd_bytes == int(0.7 * before)  # CUBIC's
    assert scheme.decisions.uses_heuristic


def test_a_decision_ends_the_recovery_that_cubic_began() -> None:
    flow = Flow(owl())
    scheme = flow.scheme
    assert isinstance(scheme, Owl)
    numbers = flow.send(10)
    flow.wait()
    flow.lose(numbers[:1])
    flow.ack(numbers[1:])  # which were sent before the cut
    phases = [scheme.phase]
    assert scheme.request is not None
    scheme.on_decision(scheme.request.sequence, KEEP)
    phases.append(scheme.phase)
    assert phases == [Phase.RECOVERY, Phase.AVOIDANCE]


def test_persistent_congestion_leaves_two_packets_in_any_case() -> None:
    flow = Flow(owl())
    assert isinstance(flow.scheme, Owl)
    flow.scheme.on_decision(asked(flow).sequence, KEEP)
    numbers = flow.send(10)
    flow.wait()
    flow.lose(numbers, is_persistent_congestion=True)
    assert flow.scheme.cwnd_bytes == 2 * MSS


def test_table_1() -> None:
    flow = Flow(owl())
    scheme = flow.scheme
    assert isinstance(scheme, Owl)
    scheme.on_decision(asked(flow, rtt_s=0.100).sequence, KEEP)
    window_packets = scheme.cwnd_bytes / MSS
    began_s = flow.now_s
    numbers = flow.send(10)
    flow.wait()
    flow.lose(numbers[:2])
    scheme.on_network_report(NetworkReport(10, (SwitchCounts(60, 35),) * 8), now_s=flow.now_s)
    flow.ack(numbers[2:7], rtt_s=0.130)
    assert scheme.request is not None
    seen = latest(scheme.request)
    assert len(scheme.request.observation) == HISTORY * len(FEATURES) == 55
    assert seen["time_stamp"] > (flow.now_s - began_s) / 0.01 > 0
    assert seen == {
        "time_stamp": seen["time_stamp"],
        "cwnd": window_packets,
        "rtt": pytest.approx(130.0),
        "rtt_variation": pytest.approx(30.0),
        "mss": MSS,
        "delivered": 5.0,
        "lost": 2.0,
        "in_flight": 3.0,
        "retransmissions": 2.0,
        "pnk": 25.0,
        "known": 80.0,
    }


def test_lost_counts_those_of_the_session_and_retransmissions_those_of_the_interval() -> None:
    flow = Flow(owl())
    scheme = flow.scheme
    assert isinstance(scheme, Owl)
    seen = []
    for packets in (1, 2, 0):
        numbers = flow.send(10)
        flow.wait()
        flow.lose(numbers[:packets])
        flow.ack(numbers[packets:])
        assert scheme.request is not None
        features = latest(scheme.request)
        seen.append((features["lost"], features["retransmissions"]))
        scheme.on_decision(scheme.request.sequence, KEEP)
    assert seen == [(1.0, 1.0), (3.0, 2.0), (3.0, 0.0)]


def test_a_report_is_forgotten_after_three_seconds() -> None:
    flow = Flow(owl())
    scheme = flow.scheme
    assert isinstance(scheme, Owl)
    scheme.on_network_report(NetworkReport(10, (SwitchCounts(60, 35),) * 5), now_s=flow.now_s)
    reported_s = flow.now_s
    while flow.now_s - reported_s < 3.5:
        seen = latest(asked(flow, packets=2))
        is_known = flow.now_s - reported_s <= 3.0
        assert (seen["pnk"], seen["known"]) == ((25.0, 50.0) if is_known else (0.0, 0.0))


def test_an_ack_asks_10_ms_after_the_last_decision_and_no_sooner() -> None:
    flow = Flow(owl())
    scheme = flow.scheme
    assert isinstance(scheme, Owl)
    scheme.on_decision(asked(flow).sequence, KEEP)
    numbers = flow.send(3)
    decided_s = flow.now_s
    asks = []
    for number, after_s in zip(numbers, (0.009, 0.0099, 0.010), strict=True):
        flow.now_s = decided_s + after_s
        flow.ack([number])
        asks.append(scheme.request is not None)
    assert asks == [False, False, True]


def test_decides_on_acks_at_least_ten_milliseconds_apart() -> None:
    requests: list[DecisionRequest] = []

    def decide(request: DecisionRequest) -> float:
        requests.append(request)
        return KEEP

    scheme = owl()
    run = network(scheme, decide)
    run.run_until(5.0)
    assert isinstance(scheme, Learned)
    assert scheme.decisions.late == scheme.decisions.failed == 0
    starts_s = [request.measured.start_s for request in requests if request.measured is not None]
    gaps_s = [after - before for before, after in pairwise(starts_s)]
    assert min(gaps_s) >= 0.010
    assert 5.0 / 0.040 <= len(requests) <= 5.0 / 0.010  # one to four a round trip


def test_more_window_keeps_more_in_the_queue() -> None:
    delays_s = []
    for most_packets in (60, 160):  # 24 Mbit/s and 40 ms are 116 packets of 1032 bytes on the wire

        def decide(request: DecisionRequest, most_packets: int = most_packets) -> float:
            return ACTIONS.index(3.0) if latest(request)["cwnd"] < most_packets else KEEP

        run = network(owl(), decide)
        run.run_until(5.0)
        delay = run.flows[0].record.delays(3.0, 5.0)
        assert delay is not None
        delays_s.append(delay.mean_s)
    assert delays_s[0] < 0.005
    assert delays_s[1] > 0.012
