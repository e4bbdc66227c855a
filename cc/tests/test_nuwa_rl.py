"""Nuwa-RL's k, its intervals, what it shows its policy and what it falls back to; all else is Nuwa's."""

from __future__ import annotations

import dataclasses
import random

import pytest

from cc.core.base import Phase
from cc.core.decision import Decide, DecisionRequest, Learned
from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Feedback, Stamp
from cc.receiver.nuwa import Nuwa
from cc.receiver.nuwa_rl import FACTORS, INTERVAL_S, NuwaRl, next_k
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation import FlowPlan, Network
from cc.tests.sim_flows import DELAY_S, clean_link
from cc.tests.test_nuwa import BASE, CLOCK_OFFSET_S, deliver, later

PARAMETERS = NuwaParameters(target_delay_s=0.040, rho_s=0.020, k=4.0)
STAY = FACTORS.index(1.0)
UP = FACTORS.index(2.85)
DOWN = FACTORS.index(0.25)


def network(receiver: Nuwa, decide: Decide | None = None) -> Network:
    sender = ReceiverDriven(max_datagram_bytes=1200, rng=random.Random(1))
    plan = FlowPlan(sender, name="nuwa-rl", receiver=receiver, decide=decide)
    return Network(clean_link(queue_packets=300), [plan], return_delay_s=DELAY_S)


class Stamps:
    """Stamps 1/32 s apart with a feedback after each: each fourth ends an interval of 0.125 s."""

    def __init__(self, receiver: Nuwa, **changes: object) -> None:
        self.receiver = receiver
        self.stamp: Stamp = later(BASE, seconds=0.0, packets=0, **changes)
        self.feedback: Feedback | None = None
        self._deliver(0.0)

    def go_on(self, count: int = 1, *, queueing_delay_s: float = 0.0, packets: int = 10, **changes: object) -> None:
        for _ in range(count):
            self.stamp = later(self.stamp, seconds=1 / 32, packets=packets, **changes)
            self._deliver(queueing_delay_s)

    def _deliver(self, queueing_delay_s: float) -> None:
        now_s = deliver(self.receiver, self.stamp, queueing_delay_s=queueing_delay_s)
        self.feedback = self.receiver.feedback(now_s=now_s)


@pytest.mark.parametrize(
    ("k", "factor", "expected"),
    [(4.0, 0.25, 1.0), (2.0, 0.25, 1.0), (8.0, 0.25, 2.0), (4.0, 1.25, 5.0), (2.0, 2.85, 5.7), (7.0, 2.85, 9.0)],
)
def test_eq_11_within_the_range(k: float, factor: float, expected: float) -> None:
    assert next_k(k, factor) == pytest.approx(expected)


def test_without_answers_it_is_nuwa() -> None:
    learned, plain = NuwaRl(PARAMETERS), Nuwa(PARAMETERS)
    runs = [network(learned), network(plain)]
    for run in runs:
        run.run_until(10.0)
    assert runs[0].flows[0].window == runs[1].flows[0].window
    assert learned.window_packets == plain.window_packets
    assert learned.k == PARAMETERS.k
    assert learned.decisions.decided == 0
    assert learned.decisions.late > 90


def test_an_answer_a_tenth_of_a_second_and_all_in_time() -> None:
    asked: list[DecisionRequest] = []
    times_s: list[float] = []

    def decide(request: DecisionRequest) -> float:
        asked.append(request)
        times_s.append(run.now_s)
        return STAY

    receiver = NuwaRl(PARAMETERS)
    assert isinstance(receiver, Learned)
    run = network(receiver, decide)
    for tenth in range(100):
        run.run_until(0.1 * (tenth + 1))
    assert receiver.decisions.late == receiver.decisions.failed == 0
    assert [request.sequence for request in asked] == list(range(len(asked)))
    assert 85 <= len(asked) <= 100
    received, window, receive_buffer, delay_s = asked[-1].observation
    assert received == pytest.approx(24e6 / 8 * 1200 / 1232 * INTERVAL_S, rel=0.2)  # the link's, without headers
    assert window == pytest.approx(receiver.window_packets * 1200 if receiver.window_packets else 0, rel=0.2)
    assert receive_buffer == 0
    assert delay_s == pytest.approx(PARAMETERS.target_delay_s, abs=0.02)


def test_a_decision_moves_the_window_of_what_comes_next() -> None:
    # k = 4 * 1.25 = 5: from then on a packet adds what it adds with a k of 5, to about the same window
    learned, five = NuwaRl(PARAMETERS), Nuwa(NuwaParameters(target_delay_s=0.040, rho_s=0.020, k=5.0))
    stamps, others = Stamps(learned), Stamps(five)
    stamps.go_on(4)
    others.go_on(4)
    assert learned.request is not None
    learned.on_decision(learned.request.sequence, FACTORS.index(1.25))
    assert learned.k == 5.0
    assert learned.state(now_s=0.0).k == 5.0
    before = learned.window_packets, five.window_packets
    stamps.go_on()
    others.go_on()
    assert stamps.feedback is not None
    assert stamps.feedback.k == 5.0
    gains = [
        after - start
        for after, start in zip((learned.window_packets, five.window_packets), before, strict=True)
        if after is not None and start is not None
    ]
    assert gains[0] == pytest.approx(gains[1], rel=0.01)


def test_the_features_are_those_of_the_stamps() -> None:
    # four stamps of ten packets, the last 25 ms late: 48,000 bytes in 0.15 s are 32,000 in 0.1 s
    receiver = NuwaRl(PARAMETERS)
    stamps = Stamps(receiver)
    stamps.go_on(3)
    assert receiver.request is None
    stamps.go_on(queueing_delay_s=0.025)
    assert receiver.request is not None
    received, window, receive_buffer, delay_s = receiver.request.observation
    assert received == pytest.approx(32_000)
    assert window == pytest.approx(1200 * (receiver.window_packets or 0))
    assert receive_buffer == 0
    assert delay_s == pytest.approx(0.025)


def test_an_interval_that_ends_late_is_scaled_to_its_length() -> None:
    # 20 packets in two stamps, then 30 after a pause: 50 packets in 0.25 s are 20 in 0.1 s
    receiver = NuwaRl(PARAMETERS)
    stamps = Stamps(receiver)
    stamps.go_on(2)
    stamps.stamp = dataclasses.replace(stamps.stamp, send_time_s=stamps.stamp.send_time_s + 5 / 32)
    stamps.go_on(packets=30)
    assert receiver.request is not None
    assert receiver.request.observation[0] == pytest.approx(24_000)


def test_what_arrives_while_the_sender_recovers_waits() -> None:
    # two stamps of ten packets since the stamp before the recovery: 24,000 bytes wait
    receiver = NuwaRl(PARAMETERS)
    stamps = Stamps(receiver)
    stamps.go_on(1)
    stamps.go_on(2, phase=Phase.RECOVERY, epoch=1)
    stamps.go_on(phase=Phase.AVOIDANCE)
    assert receiver.request is not None
    assert receiver.request.observation[2] == 24_000
    receiver.on_decision(receiver.request.sequence, STAY)
    stamps.go_on(4)
    assert receiver.request is not None
    assert receiver.request.observation[2] == 0


def test_nothing_is_asked_in_slow_start() -> None:
    receiver = NuwaRl(PARAMETERS)
    stamps = Stamps(receiver, phase=Phase.SLOW_START)
    stamps.go_on(20)
    assert receiver.request is None
    stamps.go_on(5, phase=Phase.AVOIDANCE)
    assert receiver.request is not None
    assert receiver.request.observation[0] == pytest.approx(38_400)  # of avoidance alone


def test_silence_ends_no_interval() -> None:
    receiver = NuwaRl(PARAMETERS)
    stamps = Stamps(receiver)
    stamps.go_on(3)
    now_s = stamps.stamp.send_time_s + CLOCK_OFFSET_S + 5.0
    assert receiver.feedback(now_s=now_s) is None
    assert receiver.request is None


def test_a_clock_that_stepped_begins_the_interval_anew() -> None:
    receiver = NuwaRl(PARAMETERS)
    stamps = Stamps(receiver)
    stamps.go_on(3)
    receiver.start_epoch(now_s=stamps.stamp.send_time_s + CLOCK_OFFSET_S)
    stamps.go_on(4)
    assert receiver.request is None
    stamps.go_on()
    assert receiver.request is not None


def test_an_overdue_request_leaves_it_to_nuwa_until_the_answer() -> None:
    receiver = NuwaRl(PARAMETERS)
    stamps = Stamps(receiver)
    stamps.go_on(4)
    assert receiver.request is not None
    receiver.on_decision(receiver.request.sequence, UP)
    assert receiver.k == 9.0
    stamps.go_on(4)
    assert receiver.k == 9.0  # asked, and nothing has happened since
    stamps.go_on()
    assert receiver.k == PARAMETERS.k
    assert receiver.request is not None
    receiver.on_decision(receiver.request.sequence, STAY)
    assert receiver.k == 9.0  # late within its interval: what was decided before still counts
    stamps.go_on(3)
    stamps.go_on(4)  # nothing for a whole interval
    assert receiver.decisions.late == 1
    assert receiver.request is not None
    receiver.on_decision(receiver.request.sequence, DOWN)
    assert receiver.k == 1.0  # a quarter of the preset's 4, which was in force for a whole interval


@pytest.mark.parametrize("action", [None, float("nan"), 5, -1, 0.5])
def test_a_failed_answer_leaves_it_to_nuwa(action: float | None) -> None:
    receiver = NuwaRl(PARAMETERS)
    stamps = Stamps(receiver)
    for answer in (UP, action):
        stamps.go_on(4)
        assert receiver.request is not None
        receiver.on_decision(receiver.request.sequence, answer)
    assert receiver.k == PARAMETERS.k
    assert receiver.decisions.failed == 1
