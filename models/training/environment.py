"""The Gymnasium environment: the scheme that serves, over cc's simulated link, one decision a step."""

from __future__ import annotations

import math
import random
import warnings
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction
from numpy.typing import NDArray

from cc.core.decision import Amount, DecisionRequest
from cc.links.catalogue import WHERE_RECORDED_ONES_ARE
from models import recipes
from models.recipes.recipe import Recipe
from models.scenarios.episode import START, Contender, Episode, Outcome
from models.scenarios.pairing import reference_reward
from models.scenarios.scenario import Scenario, ScenarioDistribution
from models.scenarios.splits import Split
from models.training.terms import traces_left_out

Observation = NDArray[np.float32]
Action = NDArray[np.float32] | np.integer[Any] | int
GRACE_S = 5.0
"""How long after its end an episode waits for a last request; a link may stand still."""
MOST_SILENT = 20
"""Scenarios in a row without a decision; where every other one had none, that came once in a million."""


EXPERT = "expert_action"
"""In a step's info: what the recipe's expert would have done."""
BY_RECIPE = "reward_by_recipe"
"""There, too: the recipe's reward, which cards and figures are worked out by."""


class NoDecisionError(ValueError):
    """A scheme that asks its policy nothing; the message is one sentence that says what it must do."""


class CongestionEnv(gymnasium.Env[Observation, Action]):
    """An episode is a scenario; it is cut off (truncated) at its end and never terminates.

    Observations are the scheme's, in physical units within the features' ranges: the policy's own network spreads
    them. A discrete action is an index, a continuous one a number from -1 to 1 over the whole range.

    The reward is the recipe's, less what its reference earned in the windows of that time where it has one;
    `paired=False` leaves that out, and `info[BY_RECIPE]` has the recipe's alone in any case. Returns of paired rewards
    rank no policies, means over decisions do (`models.scenarios.pairing`).

    Some learn from what no reward has: ZiXia's ranking is `info["episode_reward"]` of the last step, for each decision
    of the episode, and Indigo's and Eagle's teacher is `info[EXPERT]`. What is learned from their rewards alone is
    another policy.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        recipe: Recipe,
        *,
        split: Split = "training",
        distribution: ScenarioDistribution | None = None,
        paired: bool = True,
    ) -> None:
        self._recipe = recipe
        self._reference = recipe.reference if paired else None
        self._split: Split = split
        self._distribution = recipe.practised_scenarios if distribution is None else distribution
        space = recipe.space
        self._low = np.tile(np.array([feature.low for feature in space.features], np.float32), space.history)
        self._high = np.tile(np.array([feature.high for feature in space.features], np.float32), space.history)
        self.observation_space = spaces.Box(self._low, self._high, dtype=np.float32)
        self.action_space = action_space(recipe)
        self._rng = random.Random()
        self.episode: Episode | None = None
        """The one under way, for tests and pictures."""
        self._request: DecisionRequest | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A scenario drawn from the distribution, or `options["scenario"]`. Raises NoDecisionError."""
        super().reset(seed=seed)
        if seed is not None:
            self._rng = random.Random(seed)
        given: Scenario | None = (options or {}).get("scenario")
        for _ in range(MOST_SILENT if given is None else 1):
            scenario = given or self._distribution.draw(self._split, self._rng)
            self.episode = Episode(scenario, Contender(self._recipe.scheme, make_sender=self._recipe.make_sender))
            self._request = self.episode.next_request(scenario.duration_s)
            if self._request is not None:
                return self._observe(self._request), {"scenario": scenario}
        where = f"{MOST_SILENT} scenarios in a row, the last of them" if given is None else "the scenario"
        raise NoDecisionError(
            f"scheme {self._recipe.scheme.name} asked for no decision in {where} {scenario}: it must end intervals "
            "(decisions.end_interval; models/recipes/README.md)"
        )

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answer the request that waits, and run to the next. Raises InvalidAction."""
        episode, request = self.episode, self._request
        assert episode is not None, "reset comes first"
        assert request is not None
        mark = episode.mark()
        expert = None if self._recipe.expert is None else self._recipe.expert(episode)
        episode.answer(request, scheme_action(self._recipe, action))
        following = episode.next_request(episode.scenario.duration_s + GRACE_S)
        outcome = episode.outcome_since(mark)
        by_recipe = self._recipe.reward(outcome)
        self._request = request if following is None else following
        is_over = following is None or episode.is_over
        info: dict[str, Any] = {BY_RECIPE: by_recipe} if expert is None else {BY_RECIPE: by_recipe, EXPERT: expert}
        if is_over:
            whole = episode.outcome_since(START)
            delay = whole.queueing_delay()
            info["utilisation"] = whole.utilisation
            info["queueing_delay_s"] = 0.0 if delay is None else delay.mean_s
            shared = self.episode_reward()
            if shared is not None:
                info["episode_reward"] = shared
        return self._observe(self._request), by_recipe - self._reference_reward(outcome), False, is_over, info

    def _reference_reward(self, outcome: Outcome) -> float:
        if self._reference is None:
            return 0.0
        return reference_reward(
            self._reference,
            self._recipe.reward,
            outcome.episode.scenario,
            outcome.start_s,
            outcome.end_s,
            window_s=self._recipe.window_s,
        )

    def episode_reward(self) -> float | None:
        """What the episode, as far as it has come, adds to the reward of each decision; None if the recipe has none."""
        assert self.episode is not None, "reset comes first"
        share = self._recipe.episode_reward
        return None if share is None else share(self.episode.outcome_since(START))

    def _observe(self, request: DecisionRequest) -> Observation:
        return np.clip(np.array(request.observation, np.float32), self._low, self._high)


def make_environment(policy: str, *, split: Split = "training", paired: bool = True) -> CongestionEnv:
    """By the policy's name, as models/environments.py names it to Gymnasium.

    Raises UnknownRecipeError, and OtherTraceError for a trace that is not the recorded one. Warns of traces that are
    not installed: the same seed draws other scenarios then.
    """
    chosen = recipes.recipe(policy)
    if left_out := traces_left_out(chosen, split):
        warnings.warn(
            f"environment {policy} draws its scenarios ({split}) from the other traces, without {', '.join(left_out)}, "
            f"which are not installed here: the same seed has other scenarios elsewhere; {WHERE_RECORDED_ONES_ARE}",
            stacklevel=2,
        )
    return CongestionEnv(chosen, split=split, paired=paired)


def action_space(recipe: Recipe) -> spaces.Space[Any]:
    """The index of a choice, or a number from -1 to 1."""
    actions = recipe.space.actions
    if isinstance(actions, Amount):
        return spaces.Box(-1.0, 1.0, (1,), np.float32)
    return spaces.Discrete(len(actions.values))


def scheme_action(recipe: Recipe, action: Action) -> float:
    """What the scheme understands; a number beyond the range counts as its end. Raises InvalidAction for what is none.

    The scheme would go by its heuristic then, as behind a policy that fails, and the reward would be the heuristic's.
    """
    actions = recipe.space.actions
    if isinstance(actions, Amount):
        amount = float(np.asarray(action).reshape(-1)[0])
        if math.isnan(amount):
            raise InvalidAction(f"action {amount} of {recipe.name} is no number: give one from -1 to 1")
        share = (float(np.clip(amount, -1.0, 1.0)) + 1) / 2
        return min(actions.high, actions.low + share * (actions.high - actions.low))
    index = int(action)
    if not recipe.space.accepts(index):
        raise InvalidAction(f"action {index} of {recipe.name} is none: give one from 0 to {len(actions.values) - 1}")
    return index
