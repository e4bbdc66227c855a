"""DQN v1 and v2: eq. 4 and 7 by hand, and figure 3's state machine event by event."""

from __future__ import annotations

import math
import random

import pytest

from cc.core.base import Phase
from cc.core.decision import Learned
from cc.core.slow_start import StandardSlowStart
from cc.sender.cubic import Cubic
from cc.sender.dqn.base import Dqn
from cc.sender.dqn.v1 import DqnV1
from cc.sender.dqn.v2 import DqnV2
from cc.simulation import FlowPlan, Network
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S, clean_link

HOLD = 1
MORE = 3
BASE = 14 * MSS + 9 / 17 * MSS
"""Where `past_slow_start` ends: nothing is decided yet, and CUBIC's first round trip adds alpha (RFC 9438, 4.3)."""


def make_flow(kind: type[Dqn] = DqnV2) -> tuple[Flow, Dqn]:
    scheme = kind(max_datagram_bytes=MSS, rng=random.Random(1))
    return Flow(scheme), scheme


def round_trip(flow: Flow, *, rtt_s: float = 0.1) -> None:
    """A full window is sent, and acknowledged at once."""
    numbers = flow.fill_window()
    flow.wait(rtt_s)
    flow.ack(numbers, rtt_s=rtt_s)


def past_slow_start(kind: type[Dqn] = DqnV2) -> tuple[Flow, Dqn]:
    """10 packets, 20 after a round trip; a loss leaves 14, and the first round trip after it is over."""
    flow, scheme = make_flow(kind)
    round_trip(flow)
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])
    flow.ack(numbers[1:])
    flow.wait(0.01)
    round_trip(flow)
    return flow, scheme


def answer(scheme: Dqn, action: float | None) -> None:
    assert scheme.request is not None
    scheme.on_decision(scheme.request.sequence, action)


@pytest.mark.parametrize(("action", "packets"), [(0, -1), (1, 0), (2, 1), (3, 2)])
def test_eq_4(action: int, packets: int) -> None:
    flow, scheme = past_slow_start()
    assert scheme.cwnd_bytes == int(BASE)
    answer(scheme, action)
    expected = int(BASE + packets * MSS)
    assert scheme.cwnd_bytes == expected
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)  # which ends the round trip, and lets nothing grow
    assert scheme.cwnd_bytes == expected
    assert scheme.request is not None


def test_the_window_never_falls_below_two_packets() -> None:
    flow, scheme = past_slow_start()
    for _ in range(20):
        answer(scheme, 0)
        round_trip(flow)
    assert scheme.cwnd_bytes == 2 * MSS


def test_slow_start_asks_nothing_and_doubles_until_the_threshold() -> None:
    flow, scheme = make_flow()
    for packets in (10, 20, 40, 80):
        assert scheme.cwnd_bytes == packets * MSS
        round_trip(flow)
        assert scheme.request is None
    assert scheme.phase is Phase.SLOW_START


def test_three_duplicates_multiply_by_0_7_and_set_the_limit() -> None:
    flow, scheme = make_flow()
    round_trip(flow)  # 10 packets of 1000 bytes in 0.1 s: 100 kB/s
    assert scheme.limit_bytes_per_s is None
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])
    assert (scheme.cwnd_bytes, scheme.ssthresh_bytes) == (14 * MSS, 14 * MSS)
    assert scheme.limit_bytes_per_s == pytest.approx(100_000)
    assert scheme.phase is Phase.RECOVERY
    flow.ack(numbers[1:])
    assert scheme.request is None  # packets of before the cut end no round trip
    flow.wait(0.01)
    round_trip(flow)
    assert scheme.request is not None
    assert scheme.request.sequence == 0


def test_the_limit_is_the_most_that_a_round_trip_carried_by_eq_7() -> None:
    flow, scheme = past_slow_start()
    assert scheme.limit_bytes_per_s == pytest.approx(140e3)  # 14 packets in 0.1 s, beyond 100 kB/s: probing
    assert scheme.is_probing
    answer(scheme, HOLD)
    for rtt_s, limit in ((0.1, BASE / 0.1), (0.2, BASE / 0.1), (0.08, BASE / 0.08), (0.1, BASE / 0.08)):
        was = scheme.limit_bytes_per_s
        assert was is not None
        round_trip(flow, rtt_s=rtt_s)
        assert scheme.limit_bytes_per_s == pytest.approx(limit)
        assert scheme.is_probing == (limit > was + 1)
        answer(scheme, HOLD)
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])  # the limit falls to what the last round trip without a loss carried
    assert scheme.limit_bytes_per_s == pytest.approx(BASE / 0.1)


def test_eq_7_takes_the_window_in_which_the_acknowledged_was_sent() -> None:
    flow, scheme = past_slow_start()
    answer(scheme, MORE)
    round_trip(flow)
    assert scheme.limit_bytes_per_s == pytest.approx(BASE / 0.1)
    answer(scheme, MORE)
    round_trip(flow)
    assert scheme.limit_bytes_per_s == pytest.approx((BASE + 2 * MSS) / 0.1)


def test_eq_7_takes_the_mean_round_trip_time() -> None:
    flow, scheme = past_slow_start()
    answer(scheme, HOLD)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers[:1])  # which ends a round trip
    answer(scheme, HOLD)
    flow.ack(numbers[1:], rtt_s=0.2)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers[:1], rtt_s=0.4)  # which ends another, of two samples
    assert scheme.request is not None
    assert scheme.request.observation[2] == pytest.approx(0.3)
    flow.lose(numbers[1:2])
    assert scheme.limit_bytes_per_s == pytest.approx(BASE / 0.3)


def test_eq_7_takes_the_last_round_trip_time_in_slow_start() -> None:
    flow, scheme = make_flow()
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers[:1])  # which ends a round trip, with a window of 11 packets
    flow.ack(numbers[1:], rtt_s=0.2)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers[:1], rtt_s=0.4)  # which ends another, of two samples
    assert scheme.phase is Phase.SLOW_START
    flow.lose(numbers[1:2])
    assert scheme.limit_bytes_per_s == pytest.approx(11 * MSS / 0.4)


def test_a_timeout_enters_slow_start_up_to_the_threshold() -> None:
    flow, scheme = past_slow_start()
    answer(scheme, MORE)
    numbers = flow.fill_window()
    flow.wait(1.0)
    flow.lose(numbers, is_persistent_congestion=True)
    assert (scheme.cwnd_bytes, scheme.phase) == (2 * MSS, Phase.SLOW_START)
    assert scheme.ssthresh_bytes == int(0.7 * (BASE + 2 * MSS))
    flow.wait(0.01)
    for packets in (4, 8):
        round_trip(flow)
        assert scheme.cwnd_bytes == packets * MSS
        assert scheme.request is None
    round_trip(flow)
    assert scheme.cwnd_bytes == int(0.7 * (BASE + 2 * MSS))  # and then the network has the word
    assert scheme.request is not None


@pytest.mark.parametrize("kind", [DqnV1, DqnV2])
def test_state(kind: type[Dqn]) -> None:
    flow, scheme = past_slow_start(kind)
    answer(scheme, MORE)
    round_trip(flow, rtt_s=0.25)
    assert scheme.request is not None
    throughput = {DqnV1: (16 * MSS / 0.25,), DqnV2: ()}[kind]
    assert scheme.request.observation == pytest.approx((14 * MSS, BASE + 2 * MSS, 0.25, *throughput))
    assert isinstance(scheme, Learned)


def test_an_answer_that_a_loss_overtook_changes_nothing() -> None:
    flow, scheme = past_slow_start()
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])
    before = scheme.cwnd_bytes
    answer(scheme, MORE)
    assert scheme.cwnd_bytes == before


def test_an_application_limited_round_trip_asks_nothing() -> None:
    flow, scheme = past_slow_start()
    answer(scheme, MORE)
    for _ in range(3):
        flow.ledger.mark_app_limited()
        numbers = flow.send(1)
        flow.wait()
        flow.ack(numbers)
        assert scheme.request is None
        assert scheme.cwnd_bytes == int(BASE + 2 * MSS)


class CubicWithoutHyStart(Cubic):
    def __init__(self) -> None:
        super().__init__(max_datagram_bytes=MSS, rng=random.Random(1))
        self._slow_start = StandardSlowStart()


@pytest.mark.parametrize("kind", [DqnV1, DqnV2])
def test_without_answers_it_is_cubic_behind_a_standard_slow_start(kind: type[Dqn]) -> None:
    scheme = kind(max_datagram_bytes=MSS, rng=random.Random(1))
    runs = [
        Network(clean_link(queue_packets=60), [FlowPlan(each)], return_delay_s=DELAY_S)
        for each in (scheme, CubicWithoutHyStart())
    ]
    for run in runs:
        run.run_until(10.0)
    assert runs[0].flows[0].window == runs[1].flows[0].window
    assert scheme.decisions.decided == 0
    assert scheme.decisions.late > 100


def test_cubic_takes_over_from_where_the_policy_left() -> None:
    flow, scheme = past_slow_start()
    for _ in range(30):
        answer(scheme, MORE)
        round_trip(flow)
    assert scheme.cwnd_bytes == int(BASE + 60 * MSS)
    for _ in range(3):  # nobody answers: CUBIC's curve is flat where it begins
        round_trip(flow)
    assert BASE + 60 * MSS < scheme.cwnd_bytes < BASE + 63 * MSS
    assert scheme.decisions.uses_heuristic


def test_a_window_that_holds_below_the_last_loss_meets_no_other() -> None:
    """The paper's figure 6: almost no reduction, and so more than CUBIC, which loses again and again."""
    losses, utilisations = [], []
    for scheme in (
        DqnV2(max_datagram_bytes=MSS, rng=random.Random(1)),
        Cubic(max_datagram_bytes=MSS, rng=random.Random(1)),
    ):
        plan = FlowPlan(scheme)
        plan.decide = lambda request: MORE if request.observation[1] < 1.3 * request.observation[0] else HOLD
        run = Network(clean_link(queue_packets=20), [plan], return_delay_s=DELAY_S)
        run.run_until(5.0)
        before = run.flows[0].sender.packets_lost
        run.run_until(30.0)
        losses.append(run.flows[0].sender.packets_lost - before)
        utilisations.append(run.flows[0].record.wire_bytes(5.0, 30.0) * 8 / 25 / 24e6)
    assert losses[0] == 0 < losses[1]
    assert utilisations[1] < utilisations[0] <= 1 + 1e-3
    assert math.isfinite(utilisations[0])
