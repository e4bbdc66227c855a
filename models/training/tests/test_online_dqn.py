"""Learning during a run: what it stores, what it learns, and that it drives the simulation as a policy does."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
import torch

from cc.core.decision import DecisionRequest
from cc.core.interval import IntervalMeasurement
from cc.registry import scheme
from cc.sender.owl import FEATURES, HISTORY, Owl, utility
from models.scenarios.episode import PACKET_BYTES, Contender, Episode
from models.scenarios.scenario import Scenario
from models.training.online_dqn import MeasuredReward, OnlineDqn, OnlineSettings

SEED = 7
ACTIONS = 3
QUICK = OnlineSettings(
    learning_rate=0.01,
    discount=0.0,
    temperature=0.2,
    updates_begin_at=16,
    decisions_per_update=1,
    updates_per_target=10,
)


def interval(*, start_s: float = 0.0, acked_bytes: int = 1000, lost_bytes: int = 0) -> IntervalMeasurement:
    return IntervalMeasurement(start_s, 0.1, acked_bytes + lost_bytes, acked_bytes, lost_bytes, None, None, None)


def small_net(outputs: int = ACTIONS) -> torch.nn.Module:
    torch.manual_seed(SEED)
    return torch.nn.Linear(2, outputs)


def request(sequence: int, measured: IntervalMeasurement | None = None) -> DecisionRequest:
    return DecisionRequest(sequence, (1.0, 0.5), measured)


def test_learns_which_action_brings_more() -> None:
    learner = OnlineDqn(small_net(), lambda measured: measured.acked_bytes / 1000, seed=SEED, settings=QUICK)
    taken: list[float] = []
    measured = None
    for sequence in range(600):
        action = learner.decide(request(sequence, measured))
        assert action is not None
        taken.append(action)
        measured = interval(acked_bytes=1000 if action == 2 else 0)
    assert Counter(taken[:60])[2] < 45
    assert Counter(taken[-60:])[2] > 50
    assert learner.updates > 500


def test_the_network_that_was_given_stays_as_it_was() -> None:
    net = small_net()
    before = [parameter.clone() for parameter in net.parameters()]
    learner = OnlineDqn(net, lambda _measured: 1.0, seed=SEED, settings=QUICK)
    for sequence in range(50):
        learner.decide(request(sequence, interval()))
    assert learner.updates > 0
    assert all(torch.equal(one, other) for one, other in zip(before, net.parameters(), strict=True))


def test_what_was_not_answered_in_order_teaches_nothing() -> None:
    learner = OnlineDqn(small_net(), lambda _measured: 1.0, seed=SEED, settings=QUICK)
    for sequence in range(0, 100, 2):  # every second request was another's
        learner.decide(request(sequence, interval()))
    assert learner.updates == 0


def test_values_that_are_no_numbers_decide_nothing() -> None:
    net = torch.nn.Linear(2, ACTIONS)
    torch.nn.init.constant_(net.weight, float("nan"))
    assert OnlineDqn(net, lambda _measured: 1.0, seed=SEED, settings=QUICK).decide(request(0)) is None


def test_dropout_is_for_updates_alone() -> None:
    net = torch.nn.Sequential(small_net(), torch.nn.Dropout(0.9))
    learner = OnlineDqn(net.train(), lambda _measured: 1.0, seed=SEED, settings=replace(QUICK, temperature=1e-6))
    best = int(net.eval()(torch.tensor([[1.0, 0.5]])).argmax())
    assert [learner.decide(request(sequence)) for sequence in range(40)] == [best] * 40


def test_utility_in_shares_of_what_was_delivered_at_most() -> None:
    measure = MeasuredReward(utility)
    assert measure(interval(acked_bytes=0)) == 0.0
    # 2000 bytes in the 0.2 s so far are 10,000 bytes/s, the interval's own rate is 20,000: 0.3 * 20,000 / 10,000
    assert measure(interval(start_s=0.1, acked_bytes=2000)) == pytest.approx(0.6)
    # 3000 bytes in 0.3 s are no more; 0.3 * 10,000 less 0.7 * 10,000 that are lost
    assert measure(interval(start_s=0.2, acked_bytes=1000, lost_bytes=1000)) == pytest.approx(-0.4)


def test_drives_owl_in_the_simulation() -> None:
    torch.manual_seed(SEED)
    net = torch.nn.Linear(HISTORY * len(FEATURES), 7)
    torch.nn.init.zeros_(net.weight)
    settings = replace(QUICK, learning_rate=1e-6, temperature=1.0)
    learner = OnlineDqn(net, MeasuredReward(utility), seed=SEED, settings=settings)
    owl = Owl(max_datagram_bytes=PACKET_BYTES, rng=random.Random(SEED))
    contender = Contender(scheme("owl"), decide=learner.decide, make_sender=lambda **_options: owl)
    Episode(Scenario("6mbit", base_rtt_s=0.04, queue_packets=40, duration_s=3.0), contender).run_until(3.0)
    assert owl.decisions.decided > 50
    assert owl.decisions.late == owl.decisions.failed == 0
    assert learner.updates > 20
