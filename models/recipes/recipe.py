"""How a policy is made: its scheme, what it is rewarded for, where it practises, by which algorithm, and its judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pkgutil import resolve_name
from typing import Any, TypeVar, cast

from cc.core.base import SenderScheme
from cc.core.decision import PolicySpace
from cc.core.scheme import Scheme
from cc.registry import scheme
from models.policies.policy import policy_space
from models.scenarios.episode import Episode, MakeContender, Outcome
from models.scenarios.evaluation import WINDOW_S, Judge, Score, play_all
from models.scenarios.rival import Rival
from models.scenarios.scenario import Scenario, ScenarioDistribution

Make = TypeVar("Make", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class ClassByName:
    """A class that is imported where a model is made: recipes are read without torch, too."""

    path: str
    """`module:name`."""

    def resolve(self) -> Any:  # noqa: ANN401 - as pkgutil has it
        """The class. Raises ImportError and AttributeError."""
        return resolve_name(self.path)


@dataclass(frozen=True, slots=True)
class Falling:
    """A parameter that falls evenly to 0 over a training; a schedule of Stable-Baselines3's."""

    first: float

    def __call__(self, progress_remaining: float) -> float:
        """`progress_remaining` goes from 1 to 0, and below in a rollout that goes beyond the end."""
        return self.first * max(0.0, progress_remaining)


OnlineValue = Callable[[float, float], float]
"""Of the rates that an interval delivered and lost, in any one unit; it has to be in proportion to the unit."""


Expert = Callable[[Episode], float]
"""What a teacher who knows the link would answer to the request that waits."""

RECURRENT, IMITATING, SHARING = "recurrent-ppo", "dagger", "dual-ppo"
"""Of algorithms: has a memory, imitates the recipe's expert, shares the reward of an episode among its decisions."""
WITH_MEMORY = (RECURRENT, IMITATING)
"""The algorithms whose policies have a memory."""


class VariantError(ValueError):
    """A change that cannot be made; the message is one sentence that says what can be."""


@dataclass(frozen=True)
class Recipe:
    """One policy; `models.recipes` lists them."""

    name: str
    """Of the policy, of its files, and of its scheme in cc.registry."""
    source: str
    """The paper."""
    algorithm: str
    """As `models.training.algorithms` knows it."""
    parameters: Mapping[str, Any]
    """Of the algorithm's class, as Stable-Baselines3 calls them; classes in its `policy_kwargs` as `ClassByName`."""
    hidden: tuple[int, ...]
    """Sizes of the network's layers, behind the memory where there is one."""
    steps: int
    """Decisions that a whole training takes."""
    reward: Callable[[Outcome], float]
    """Of the time from one decision to the next."""
    reward_text: str
    """The same in words and symbols, for the card."""
    scenarios: ScenarioDistribution
    """Where it is judged and, unless `practice` says otherwise, practises."""
    rivals: tuple[Rival, ...]
    """Whom the policy is compared with; the first, the one it extends or the strongest by hand, it must beat."""
    to_beat: tuple[str, ...] = ()
    """Names of the rivals that it must beat; none: the first alone."""
    practice: ScenarioDistribution | None = None
    """Where it practises, if elsewhere than where it is judged: a paper's links may be unlike the laboratory's."""
    environments: int = 4
    """Side by side."""
    episode_reward: Callable[[Outcome], float] | None = None
    """Of a whole episode (or of one so far), added to the reward of each of its decisions; None: nothing is."""
    reference: Rival | None = None
    """Whose reward in the same scenario at the same time is taken off in training (`models.scenarios.pairing`)."""
    window_s: float = WINDOW_S
    """Of evaluations by `reward`: the interval of decisions where that is fixed, so that both mean the same."""
    judge: Judge | None = None
    """Scores the policy and its rivals; None: by `reward`, in windows."""
    judge_text: str | None = None
    """What the judge rewards, in words and symbols; None where that is `reward_text`."""
    activation: str = "tanh"
    """`tanh` or `relu`."""
    lstm_units: int | None = None
    """Size of the memory, where the algorithm is one of `WITH_MEMORY`."""
    expert: Expert | None = None
    """Whom the policy imitates, for `dagger`; None: nobody."""
    make_sender: Callable[..., SenderScheme] | None = None
    """Instead of the registry's, for variants."""
    variant_space: PolicySpace | None = None
    """That of `make_sender`."""
    history: int | None = None
    """Intervals that the policy sees; None: as many as the scheme shows."""
    online_value: OnlineValue | None = None
    """`reward`, of what the scheme measures, for a policy that can learn on during a run."""
    paper_setting: tuple[Scenario, ...] = ()
    """What the paper evaluates on, as far as it can be had: for the card and the figures, not for training."""
    notes: tuple[str, ...] = field(default=())
    """What the paper left open and what was chosen."""

    def __post_init__(self) -> None:
        """Raises VariantError where the algorithm leaves out what the policy is to learn from, or has no memory."""
        if self.episode_reward is not None and self.algorithm != SHARING:
            raise VariantError(
                f"policy {self.name} shares an episode's reward, and {self.algorithm} does not: {SHARING} does"
            )
        if (self.expert is not None) != (self.algorithm == IMITATING):
            raise VariantError(
                f"policy {self.name} has {'no' if self.expert is None else 'an'} expert, and {self.algorithm} imitates "
                f"{'one' if self.expert is None else 'nobody'}: {IMITATING} and an expert go together"
            )
        if self.lstm_units is not None and self.algorithm not in WITH_MEMORY:
            known = ", ".join(WITH_MEMORY)
            raise VariantError(f"policy {self.name} has a memory, and {self.algorithm} keeps none: {known} do")

    @property
    def practised_scenarios(self) -> ScenarioDistribution:
        """Where it practises."""
        return self.scenarios if self.practice is None else self.practice

    @cached_property
    def scheme(self) -> Scheme:
        """Its line in the registry, with the recipe's history. Raises UnknownSchemeError."""
        entry = scheme(self.name)
        return entry if self.history is None else _showing(entry, self.history)

    @cached_property
    def space(self) -> PolicySpace:
        """What the policy sees and does."""
        return self.variant_space or policy_space(self.scheme)

    def scores(
        self, makers: Mapping[str, MakeContender], scenarios: Iterable[Scenario]
    ) -> Mapping[str, Sequence[Score]]:
        """Of each contender, as this policy is judged."""
        if self.judge is None:
            return play_all(makers, scenarios, self.reward, window_s=self.window_s)
        return self.judge(makers, scenarios)

    def with_history(self, history: int) -> Recipe:
        """The same with another history, as the papers compare them. Raises VariantError where that cannot be had."""
        if self.algorithm in WITH_MEMORY and history != 1:
            raise VariantError(
                f"policy {self.name} keeps its own memory ({self.algorithm}) and sees one interval at a time, "
                f"not {history}"
            )
        changed = replace(self, history=history)
        if history < 1 or self.make_sender is not None or changed.space.history != history:
            raise VariantError(f"policy {self.name} cannot have a history of {history}; leave its own")
        return changed

    def with_parameters(self, parameters: Mapping[str, Any]) -> Recipe:
        """The same with some of the algorithm's parameters changed."""
        return replace(self, parameters={**self.parameters, **parameters})


def _showing(entry: Scheme, history: int) -> Scheme:
    """The scheme, whichever half of it is learned, with another history."""
    return replace(
        entry,
        make_sender=_observing(entry.make_sender, history),
        make_receiver=None if entry.make_receiver is None else _observing(entry.make_receiver, history),
    )


def _observing(make: Make, history: int) -> Make:
    """A subclass with this history, where it is a learned class; else the same."""
    space = getattr(make, "policy_space", None)
    if not isinstance(make, type) or not isinstance(space, PolicySpace):
        return make
    return cast("Make", type(make.__name__, (make,), {"policy_space": replace(space, history=history)}))
