"""What a reference earns in the same scenario at the same time; taken off a learner's reward, it takes luck off.

Rewards differ far more between scenarios than between actions. At any one time the reference's do not depend on the
learner's actions, so that a policy's mean over time keeps its place among others' (a control variate; Greensmith,
Bartlett, Baxter: Variance Reduction Techniques for Gradient Estimates in Reinforcement Learning, JMLR 2004).

Sums over an episode's decisions do not keep it where decisions follow the round trip, as Aurora's and BBR-FIT's do: who
lengthens the queue decides less often, and has the reference taken off less often. Means over decisions are to be
compared. The reference's windows are whole ones: those that a decision's time touches.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import fmean

from models.scenarios.episode import Episode, Outcome
from models.scenarios.rival import Rival
from models.scenarios.scenario import Scenario

KEPT = 1000
"""Scenarios in which the reference is remembered."""

ROUNDING_WINDOWS = 1e-9
"""Far above that of times that are multiples of a window, far below what makes a difference."""

Reward = Callable[[Outcome], float]


def reference_reward(
    reference: Rival, reward: Reward, scenario: Scenario, start_s: float, end_s: float, *, window_s: float
) -> float:
    """Mean over the windows from `start_s` to `end_s`; after the scenario's end, that of the last."""
    rewards = _rewards(reference, reward, scenario, window_s)
    first = min(int(start_s / window_s + ROUNDING_WINDOWS), len(rewards) - 1)
    return fmean(rewards[first : max(first + 1, math.ceil(end_s / window_s - ROUNDING_WINDOWS))])


@lru_cache(maxsize=KEPT)
def _rewards(reference: Rival, reward: Reward, scenario: Scenario, window_s: float) -> tuple[float, ...]:
    episode = Episode(scenario, reference.make())
    windows = math.ceil(scenario.duration_s / window_s - ROUNDING_WINDOWS)
    ends_s = (min(scenario.duration_s, step * window_s) for step in range(1, windows + 1))
    return tuple(reward(episode.run_until(end_s)) for end_s in ends_s)
