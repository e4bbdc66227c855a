"""The seam between a learned scheme and its policy: a request when an interval ends, an answer when there is one.

A scheme never calls its policy. It ends an interval, which publishes a request; whoever drives it (the transport after
a flight has left, the simulation, an environment in training) reads the request and answers with `on_decision`. Until
then the scheme goes on as before; at its first event after `ANSWER_TIME_S` without an answer it falls back to its
heuristic, for the rest of that interval or until the answer comes. Nothing here knows what a policy is made of.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

from cc.core.interval import IntervalMeasurement

ANSWER_TIME_S = 0.002
"""What an answer may take: what has arrived together is handled, and a flight leaves, before a policy is asked.

Policies themselves take some 0.1 ms (`python -m e2e.laboratory decision-time`).
"""

Decide = Callable[["DecisionRequest"], float | None]
"""Answers one flow's requests, in order: the action, or None where there is none (or none that is finite)."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One number that a policy sees, in physical units; `PolicySpace` has them in order."""

    name: str
    unit: str
    """The unit as text, such as `s`, `bytes/s` or `ratio`."""
    low: float
    high: float
    """A policy sees values beyond the range as its ends; what is unknown is 0."""
    meaning: str = field(compare=False)
    is_logarithmic: bool = False
    """Spread by its logarithm before the policy sees it; then `low` must be positive."""

    def __post_init__(self) -> None:
        """Raises ValueError for a range that is none."""
        if not self.low < self.high or (self.is_logarithmic and self.low <= 0):
            raise ValueError(
                f"feature {self.name}: {self.low:g} to {self.high:g} is no range that it can be spread over"
            )


@dataclass(frozen=True, slots=True)
class Choices:
    """Discrete actions: the policy answers with the index of one."""

    values: tuple[float, ...]
    meaning: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Amount:
    """A continuous action: the policy answers with the number itself."""

    low: float
    high: float
    meaning: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class PolicySpace:
    """What a scheme shows its policy and takes from it; cards are written from it and checked against it.

    What features and actions mean in words is not compared: to say it better makes no other policy.
    """

    features: tuple[Feature, ...]
    history: int
    """Intervals that an observation holds, oldest first; those that have not been are zeros, if none says otherwise."""
    actions: Choices | Amount
    interval: str
    """When an interval ends, in words."""

    @property
    def observation_size(self) -> int:
        """Numbers in an observation."""
        return self.history * len(self.features)

    def accepts(self, action: float) -> bool:
        """Whether the action is one of those."""
        if isinstance(self.actions, Amount):
            return self.actions.low <= action <= self.actions.high
        return action in range(len(self.actions.values))


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """What a policy is asked."""

    sequence: int
    observation: tuple[float, ...]
    """`PolicySpace.history` times the features, oldest interval first."""
    measured: IntervalMeasurement | None = None
    """The interval that has just ended, for rewards; None where the scheme measures none."""


@runtime_checkable
class Learned(Protocol):
    """A scheme, or a receiver's half of one, that asks a policy."""

    policy_space: ClassVar[PolicySpace]
    decisions: Decisions

    @property
    def request(self) -> DecisionRequest | None:
        """What waits for an answer; None if nothing does. To be read after each event, before time goes on."""

    def on_decision(self, sequence: int, action: float | None) -> None:
        """The answer to a request; one that comes too late is ignored."""


class Decisions:
    """A learned scheme's bookkeeping: history, the request that waits, and what became of earlier ones."""

    def __init__(self, space: PolicySpace, *, before: Sequence[float] | None = None) -> None:
        """`before` stands in the history for intervals that have not been, as its features; None: zeros do."""
        self.request: DecisionRequest | None = None
        self.asked = 0
        """Requests published; of those that are neither decided, late nor failed one is open."""
        self.decided = 0
        self.late = 0
        """Requests that were still open when the next interval ended."""
        self.failed = 0
        """Requests answered by nothing, by no number or by none of the actions."""
        self.uses_heuristic = True
        """Whether the scheme is to do without its policy now: nothing has been decided yet, or not in time."""
        self._space = space
        self._asked_s = 0.0
        """When the open request was published."""
        first = (0.0,) * len(space.features) if before is None else tuple(before)
        self._history = deque([first] * space.history, maxlen=space.history)

    def on_event(self, now_s: float) -> None:
        """Something happened to the flow: a request may be overdue. To be called before all else."""
        # a receiver's clock may have been set back, too
        if self.request is not None and abs(now_s - self._asked_s) > ANSWER_TIME_S:
            self.uses_heuristic = True

    def end_interval(
        self, features: Sequence[float], measured: IntervalMeasurement | None = None, *, now_s: float
    ) -> None:
        """Publish a request; raises ValueError for features that are not those of the space, or not finite."""
        if len(features) != len(self._space.features) or not all(map(math.isfinite, features)):
            names = ", ".join(feature.name for feature in self._space.features)
            raise ValueError(f"features {list(features)} are not finite numbers for {names}")
        if self.request is not None:
            self.late += 1
            self.uses_heuristic = True
        self._history.append(tuple(features))
        observation = tuple(value for features in self._history for value in features)
        self.request = DecisionRequest(self.asked, observation, measured)
        self.asked += 1
        self._asked_s = now_s

    def accept(self, sequence: int, action: float | None) -> float | None:
        """The action to take; None if the answer is none, or is for another request than the open one."""
        if self.request is None or sequence != self.request.sequence:
            return None
        self.request = None
        if action is None or not self._space.accepts(action):
            self.failed += 1
            self.uses_heuristic = True
            return None
        self.decided += 1
        self.uses_heuristic = False
        return action

    def log_fields(self) -> Mapping[str, float | None]:
        """What is logged of it, for qlog and the bench."""
        return {
            "decisions_made": float(self.decided),
            "decisions_late": float(self.late),
            "decisions_failed": float(self.failed),
        }
