"""What holds for every learned scheme in the registry, whoever answers it, and if nobody does."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from cc.decision import Amount, Decide, DecisionRequest, Learned, PolicySpace
from cc.presets import DEFAULT_PRESET, preset
from cc.receiver.nuwa import NuwaParameters
from cc.registry import SCHEMES, Scheme
from cc.simulation import FlowPlan, Network
from cc.tests.sim_flows import DELAY_S, clean_link

LEARNED = [entry for entry in SCHEMES if entry.policy is not None]
SECONDS = 8.0

pytestmark = pytest.mark.parametrize("entry", LEARNED, ids=lambda entry: entry.name)


def run(entry: Scheme, decide: Decide | None) -> Learned:
    """A flow of the scheme over a clean link; what asked its policy."""
    chosen = preset(DEFAULT_PRESET)
    parameters = NuwaParameters(target_delay_s=chosen.target_delay_s, rho_s=chosen.rho_s, k=chosen.k)
    sender = entry.make_sender(max_datagram_bytes=1350, rng=random.Random(1))
    receiver = None if entry.make_receiver is None else entry.make_receiver(parameters)
    plan = FlowPlan(sender, name=entry.name, receiver=receiver, decide=decide)
    network = Network(clean_link(queue_packets=60), [plan], return_delay_s=DELAY_S)
    network.run_until(SECONDS)
    learned = network.flows[0].learned
    assert learned is not None
    return learned


def any_action(space: PolicySpace, rng: random.Random) -> float:
    if isinstance(space.actions, Amount):
        return rng.uniform(space.actions.low, space.actions.high)
    return rng.randrange(len(space.actions.values))


def space_of(entry: Scheme) -> PolicySpace:
    return run(entry, None).policy_space


def test_any_answers_are_taken_and_none_is_late(entry: Scheme) -> None:
    space, rng = space_of(entry), random.Random(1)
    seen: list[DecisionRequest] = []

    def decide(request: DecisionRequest) -> float:
        seen.append(request)
        return any_action(space, rng)

    decisions = run(entry, decide).decisions
    assert decisions.decided == len(seen) > 10
    assert decisions.late == decisions.failed == 0
    assert all(len(request.observation) == space.observation_size for request in seen)
    assert all(math.isfinite(value) for request in seen for value in request.observation)


def test_observations_are_worth_seeing(entry: Scheme) -> None:
    """A feature that is always the same, or always at an end of its range, tells a policy nothing."""
    space, rng = space_of(entry), random.Random(1)
    seen: list[tuple[float, ...]] = []

    def decide(request: DecisionRequest) -> float:
        seen.append(request.observation[-len(space.features) :])
        return any_action(space, rng)

    run(entry, decide)
    for index, feature in enumerate(space.features):
        values = [observation[index] for observation in seen]
        within = [value for value in values if feature.low < value < feature.high]
        assert len(set(within)) > 3 or feature.name in NOT_ON_A_CLEAN_LINK, feature.name


NOT_ON_A_CLEAN_LINK: frozenset[str] = frozenset()
"""Features that tell of what this link has not."""


@pytest.mark.parametrize("answer", [lambda _: None, lambda _: math.nan, lambda _: 1e9], ids=["none", "nan", "absurd"])
def test_no_answer_at_all_is_the_heuristic(entry: Scheme, answer: Callable[[DecisionRequest], float | None]) -> None:
    unanswered, failed = run(entry, None), run(entry, answer)
    assert unanswered.decisions.late > 10
    assert failed.decisions.failed > 10
    assert unanswered.decisions.decided == failed.decisions.decided == 0
    assert unanswered.decisions.uses_heuristic
    assert failed.decisions.uses_heuristic
