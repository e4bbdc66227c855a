"""What holds for every scheme of the registry that has a policy, whatever the policy answers, and when."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest

from cc.core.base import MINIMUM_WINDOW_PACKETS
from cc.core.decision import Amount, Choices, Decide, DecisionRequest, Decisions, Learned, PolicySpace
from cc.core.scheme import Scheme
from cc.receiver.presets import DEFAULT_PRESET, preset
from cc.registry import SCHEMES
from cc.simulation import FlowPlan, Network
from cc.simulation.flow import Flow
from cc.tests.flow import MSS
from cc.tests.sim_flows import DELAY_S, LINK_MBIT_PER_S, clean_link
from cc.tests.test_contract_fuzz import ContractMachine, run_in_any_order

LEARNED = [entry for entry in SCHEMES if entry.policy is not None]
DURATION_S = 2.0
NO_ACTIONS = (None, math.nan, math.inf, -math.inf, 1e9, -1e9, 0.123)
SEED = 7

each_scheme = pytest.mark.parametrize("entry", LEARNED, ids=lambda entry: entry.name)


def make_network(
    entry: Scheme, decide: Decide | None, *, return_opportunities_ms: Sequence[int] | None = None
) -> Network:
    chosen = preset(DEFAULT_PRESET)
    parameters = chosen.parameters
    plan = FlowPlan(
        entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(SEED)),
        name=entry.name,
        receiver=None if entry.make_receiver is None else entry.make_receiver(parameters),
        decide=decide,
    )
    return Network(
        clean_link(queue_packets=60), [plan], return_delay_s=DELAY_S, return_opportunities_ms=return_opportunities_ms
    )


def play(entry: Scheme, decide: Decide | None) -> Flow:
    """The simulation raises SchemeError for a window below two packets, a NaN, or a rate that none can use."""
    network = make_network(entry, decide)
    network.run_until(DURATION_S)
    return network.flows[0]


@cache
def unanswered(entry: Scheme) -> Flow:
    """The run that several tests compare with; nobody changes it."""
    return play(entry, None)


def action_space(flow: Flow) -> PolicySpace:
    assert isinstance(flow.learned, Learned)
    return flow.learned.policy_space


def random_action(space: PolicySpace, rng: random.Random) -> float:
    if isinstance(space.actions, Amount):
        return rng.uniform(space.actions.low, space.actions.high)
    return rng.randrange(len(space.actions.values))


def ends(space: PolicySpace) -> tuple[float, float]:
    """The least and the largest action."""
    if isinstance(space.actions, Amount):
        return space.actions.low, space.actions.high
    return 0, len(space.actions.values) - 1


def no_action(space: PolicySpace, action: float | None) -> float | None:
    """The same, or, where it happens to be an action, the next number that is none."""
    if action is not None and space.accepts(action):
        return ends(space)[1] + 1
    return action


def counts(flow: Flow) -> tuple[float, float, float]:
    """Decisions made, late, failed: the receiver's half counts for itself, a sender's scheme in its log."""
    decisions = flow.learned.decisions  # type: ignore[union-attr]
    return decisions.decided, decisions.late, decisions.failed


def assert_conserved(flow: Flow) -> None:
    ledger = flow.sender.ledger
    assert ledger.bytes_sent_total == ledger.delivered_bytes + ledger.lost_bytes_total + ledger.bytes_in_flight
    assert flow.record.wire_bytes(0.0, DURATION_S) * 8 <= LINK_MBIT_PER_S * 1e6 * DURATION_S * 1.001
    assert ledger.delivered_bytes > 0
    assert all(MINIMUM_WINDOW_PACKETS * MSS <= window < math.inf for _, window in flow.window)


@pytest.mark.parametrize("entry", SCHEMES, ids=lambda entry: entry.name)
def test_a_policy_is_named_exactly_where_a_half_of_the_scheme_asks(entry: Scheme) -> None:
    sender = entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(SEED))
    receiver = None if entry.make_receiver is None else entry.make_receiver(preset(DEFAULT_PRESET).parameters)
    asks = isinstance(sender, Learned) or isinstance(receiver, Learned)
    assert asks == (entry.policy is not None), (
        f"{entry.name} of cc/registry.py: policy {entry.policy}, and asks: {asks}"
    )


@each_scheme
def test_asks_in_order_what_its_space_says(entry: Scheme) -> None:
    asked: list[DecisionRequest] = []
    flow = play(entry, asked.append)  # which answers None
    space = action_space(flow)
    assert asked
    assert [request.sequence for request in asked] == list(range(len(asked)))
    assert all(len(request.observation) == space.observation_size for request in asked)
    assert all(math.isfinite(number) for request in asked for number in request.observation)
    assert not isinstance(space.actions, Choices) or len(set(space.actions.values)) == len(space.actions.values)


@each_scheme
def test_without_answers_it_is_the_same_again_and_loses_nothing(entry: Scheme) -> None:
    first, again = unanswered(entry), play(entry, None)
    assert first.window == again.window
    assert counts(first)[0] == counts(first)[2] == 0
    assert counts(first)[1] > 0
    assert_conserved(first)


@each_scheme
def test_an_answer_that_is_none_of_the_actions_is_no_answer(entry: Scheme) -> None:
    network = make_network(entry, None)
    flow = network.flows[0]
    turns = itertools.cycle([no_action(action_space(flow), action) for action in NO_ACTIONS])
    flow.plan.decide = lambda _request: next(turns)
    network.run_until(DURATION_S)
    made, late, failed = counts(flow)
    assert (made, late) == (0, 0)
    assert failed >= len(NO_ACTIONS), "not all of them were given"
    assert flow.window == unanswered(entry).window


@each_scheme
def test_acks_that_come_together_make_no_request_overdue_that_is_answered_at_once(
    entry: Scheme, monkeypatch: pytest.MonkeyPatch
) -> None:
    # an uplink with eight opportunities each 8 ms: so many ACKs arrive in one instant
    heuristic_events: list[float] = []
    network = make_network(entry, None, return_opportunities_ms=[8] * 8)
    flow = network.flows[0]
    flow.plan.decide = answers_of("random", action_space(flow))
    on_event = Decisions.on_event

    def watch(decisions: Decisions, now_s: float) -> None:
        on_event(decisions, now_s)
        if decisions.decided > 0 and decisions.uses_heuristic:
            heuristic_events.append(now_s)

    monkeypatch.setattr(Decisions, "on_event", watch)
    network.run_until(DURATION_S)
    made, late, failed = counts(flow)
    assert made > 0
    assert (late, failed) == (0, 0)
    assert heuristic_events == []


@each_scheme
@pytest.mark.parametrize("answers", ["random", "least", "largest", "alternating", "often none"])
def test_any_answers_leave_it_within_bounds(entry: Scheme, answers: str) -> None:
    flow = answered(entry, answers)
    made, late, failed = counts(flow)
    assert made > 0
    assert late == 0
    assert (failed > 0) == (answers == "often none")
    assert_conserved(flow)
    if answers == "often none":  # which has answers and none
        assert flow.window == answered(entry, answers).window, f"not the same again with seed {SEED}"


def answered(entry: Scheme, answers: str) -> Flow:
    network = make_network(entry, None)
    flow = network.flows[0]
    flow.plan.decide = answers_of(answers, action_space(flow))
    network.run_until(DURATION_S)
    return flow


def answers_of(kind: str, space: PolicySpace) -> Decide:
    rng = random.Random(SEED)
    least, largest = ends(space)
    turns: Iterator[float] = iter(lambda: least if rng.random() < 0.5 else largest, None)
    return {
        "random": lambda _request: random_action(space, rng),
        "least": lambda _request: least,
        "largest": lambda _request: largest,
        "alternating": lambda _request: next(turns),
        "often none": lambda _request: random_action(space, rng) if rng.random() < 0.5 else None,
    }[kind]


@each_scheme
def test_late_and_outdated_answers_leave_it_within_bounds(entry: Scheme) -> None:
    rng = random.Random(SEED)
    network = make_network(entry, None)
    flow = network.flows[0]
    space = action_space(flow)
    asked: list[int] = []
    while network.run_until_request(DURATION_S) is flow:
        assert flow.learned is not None
        request = flow.learned.request
        assert request is not None
        asked.append(request.sequence)
        fate = rng.choice(["at once", "late", "outdated", "unasked", "never"])
        if fate == "late":
            network.run_until_request(min(DURATION_S, network.now_s + rng.uniform(0.0, 0.3)))
        before = flow.sender.scheme.cwnd_bytes, flow.learned.request
        if fate in ("outdated", "unasked"):
            sequence = asked[-2] if fate == "outdated" and len(asked) > 1 else request.sequence + 5
            flow.answer(sequence, random_action(space, rng), now_s=network.now_s)
            assert (flow.sender.scheme.cwnd_bytes, flow.learned.request) == before
        elif fate != "never":
            flow.answer(request.sequence, random_action(space, rng), now_s=network.now_s)
    made, late, failed = counts(flow)
    assert made > 0
    assert late > 0
    assert failed == 0
    assert_conserved(flow)


class LearnedMachine(ContractMachine):
    """Any order of events, with answers of any kind among them; a sender's scheme by itself."""

    def events(self) -> list[Callable[[], None]]:
        answers = [self.answer, self.answer_with_none_of_the_actions, self.answer_what_is_not_asked]
        return [*super().events(), *answers]

    def answer(self) -> None:
        scheme = self.flow.scheme
        assert isinstance(scheme, Learned)
        if scheme.request is None:
            return
        action = self.script.between(*ends(scheme.policy_space))
        if isinstance(scheme.policy_space.actions, Choices):
            action = round(action)
        scheme.on_decision(scheme.request.sequence, action)
        assert scheme.request is None

    def answer_with_none_of_the_actions(self) -> None:
        scheme = self.flow.scheme
        assert isinstance(scheme, Learned)
        if scheme.request is None:
            return
        scheme.on_decision(scheme.request.sequence, no_action(scheme.policy_space, self.script.one_of(NO_ACTIONS)))
        assert scheme.request is None

    def answer_what_is_not_asked(self) -> None:
        scheme = self.flow.scheme
        assert isinstance(scheme, Learned)
        sequence = self.script.up_to(10**6) - 3
        if scheme.request is not None and scheme.request.sequence == sequence:
            return
        before = (scheme.request, self.flow.scheme.cwnd_bytes, self.flow.scheme.log_fields())
        scheme.on_decision(sequence, self.script.one_of(ends(scheme.policy_space)))
        assert (scheme.request, self.flow.scheme.cwnd_bytes, self.flow.scheme.log_fields()) == before

    def check_new_path(self) -> None:
        super().check_new_path()
        assert isinstance(self.flow.scheme, Learned)
        assert self.flow.scheme.request is None


@pytest.mark.parametrize(
    "entry", [entry for entry in LEARNED if entry.control == "sender"], ids=lambda entry: entry.name
)
def test_contract_holds_in_any_order_of_events_and_answers(entry: Scheme) -> None:
    run_in_any_order(LearnedMachine, entry)
