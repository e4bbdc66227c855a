"""The bookkeeping that every learned scheme shares."""

from __future__ import annotations

import math

import pytest

from cc.core.decision import Amount, Choices, Decisions, Feature, PolicySpace

RATE = Feature("rate", "bytes/s", 1.0, 1e6, "rate", is_logarithmic=True)
DELAY = Feature("delay", "s", 0.0, 1.0, "delay")
SPACE = PolicySpace(features=(RATE, DELAY), history=3, actions=Choices((0.5, 1.0, 2.0), "factor"), interval="10 ms")


def test_observation_is_the_last_intervals_oldest_first() -> None:
    decisions = Decisions(SPACE)
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    assert decisions.request is not None
    assert decisions.request.observation == (0, 0, 0, 0, 10.0, 0.1)
    for rate in (20.0, 30.0, 40.0):
        decisions.end_interval((rate, 0.2), now_s=1.0)
    assert decisions.request.observation == (20.0, 0.2, 30.0, 0.2, 40.0, 0.2)
    assert len(decisions.request.observation) == SPACE.observation_size


def test_an_answer_ends_the_heuristic() -> None:
    decisions = Decisions(SPACE)
    assert decisions.uses_heuristic
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    assert decisions.accept(0, 2) == 2
    assert not decisions.uses_heuristic
    assert decisions.request is None
    assert (decisions.decided, decisions.late, decisions.failed) == (1, 0, 0)


def test_an_open_request_lets_the_last_decision_stand_until_the_next_event() -> None:
    decisions = Decisions(SPACE)
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    decisions.accept(0, 2)
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    assert not decisions.uses_heuristic
    decisions.on_event(1.01)
    assert decisions.uses_heuristic
    assert decisions.accept(1, 0) == 0  # within its interval: better late than never
    assert not decisions.uses_heuristic


@pytest.mark.parametrize(("after_s", "is_overdue"), [(0.0, False), (0.0015, False), (0.0025, True), (-2.0, True)])
def test_what_comes_in_the_same_instant_leaves_time_for_an_answer(after_s: float, is_overdue: bool) -> None:
    decisions = Decisions(SPACE)
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    decisions.accept(0, 2)
    decisions.end_interval((10.0, 0.1), now_s=1.1)
    decisions.on_event(1.1 + after_s)
    assert decisions.uses_heuristic is is_overdue


def test_a_request_that_the_next_interval_overtakes_is_overdue_without_any_event() -> None:
    decisions = Decisions(SPACE)
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    decisions.accept(0, 2)
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    assert not decisions.uses_heuristic
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    assert decisions.uses_heuristic


def test_a_request_open_when_the_next_interval_ends_is_late_and_its_answer_ignored() -> None:
    decisions = Decisions(SPACE)
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    decisions.on_event(1.01)
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    assert decisions.accept(0, 1) is None
    assert (decisions.decided, decisions.late, decisions.failed) == (0, 1, 0)
    assert decisions.accept(1, 1) == 1
    assert decisions.accept(1, 1) is None  # answered before
    assert decisions.log_fields() == {"decisions_made": 1.0, "decisions_late": 1.0, "decisions_failed": 0.0}


@pytest.mark.parametrize("action", [None, math.nan, math.inf, 3, -1, 0.5])
def test_an_answer_that_is_no_action_has_failed(action: float | None) -> None:
    decisions = Decisions(SPACE)
    decisions.end_interval((10.0, 0.1), now_s=1.0)
    assert decisions.accept(0, action) is None
    assert decisions.uses_heuristic
    assert (decisions.decided, decisions.late, decisions.failed) == (0, 0, 1)


@pytest.mark.parametrize(("action", "is_accepted"), [(-1.0, True), (0.3, True), (1.01, False), (math.nan, False)])
def test_an_amount_must_lie_in_its_range(action: float, is_accepted: bool) -> None:
    space = PolicySpace(features=(DELAY,), history=1, actions=Amount(-1.0, 1.0, "step"), interval="10 ms")
    assert space.accepts(action) is is_accepted


@pytest.mark.parametrize("features", [(1.0,), (1.0, math.nan), (1.0, 2.0, 3.0)])
def test_features_must_be_those_of_the_space(features: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="are not finite numbers for rate, delay"):
        Decisions(SPACE).end_interval(features, now_s=1.0)


def test_a_logarithm_needs_a_positive_range() -> None:
    with pytest.raises(ValueError, match="feature rate: 0 to 10 is no range"):
        Feature("rate", "bytes/s", 0.0, 10.0, "rate", is_logarithmic=True)
