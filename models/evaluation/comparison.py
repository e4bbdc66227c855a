"""A policy beside its rivals, over the same scenarios, all through what serves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

from models.evaluation.resampling import Interval, difference_of_means
from models.policies.policy import PolicyError, load_policy
from models.recipes.recipe import Recipe
from models.scenarios.episode import Contender, MakeContender
from models.scenarios.evaluation import Score, by_family
from models.scenarios.scenario import Scenario
from models.scenarios.splits import Split

ScoreT = TypeVar("ScoreT", bound=Score)
Column = tuple[str, Callable[[ScoreT], float], int]
"""Its title, what is read of each score, and how many decimals its mean has."""
EVALUATION_SEED = 1
EPISODES_PER_TRACE: dict[Split, int] = {"training": 1, "validation": 1, "test": 5}


def evaluation_scenarios(recipe: Recipe, split: Split) -> Sequence[Scenario]:
    """Some for each trace of the split, the same each time."""
    return recipe.scenarios.fixed(split, seed=EVALUATION_SEED, episodes_per_trace=EPISODES_PER_TRACE[split])


def compare(recipe: Recipe, folder: Path, scenarios: Iterable[Scenario]) -> dict[str, Any]:
    """The policy in `folder` beside the recipe's rivals; differences are paired. Raises PolicyError.

    `rival` is the first of them, `others` has the others; `left_out` names those whose policies are not shipped.
    """
    there = [rival for rival in recipe.rivals if rival.is_there]
    if not there:
        names = ", ".join(rival.name for rival in recipe.rivals) or "none is named"
        raise PolicyError(f"policy {recipe.name} has no rival that could be had: {names}; give its recipe one by hand")
    first, *others = there
    makers = {recipe.name: learner(recipe, folder)} | {rival.name: rival.make for rival in (first, *others)}
    scores = recipe.scores(makers, scenarios)
    learned, families = scores[recipe.name], by_family(scores[first.name])
    return comparison(first.name, learned, scores[first.name]) | {
        "judge": recipe.judge_text,
        "others": {rival.name: comparison(rival.name, learned, scores[rival.name]) for rival in others},
        "left_out": [rival.name for rival in recipe.rivals if not rival.is_there],
        "families": {
            family: comparison(first.name, its, families[family]) for family, its in by_family(learned).items()
        },
    }


def learner(recipe: Recipe, folder: Path) -> MakeContender:
    """Puts the policy in `folder` on a flow. Raises PolicyError."""
    policy = load_policy(recipe.name, folder, space=recipe.space)
    return lambda: Contender(recipe.scheme, decide=policy.runner().decide, make_sender=recipe.make_sender)


def comparison(rival_name: str, learned: Sequence[Score], rival: Sequence[Score]) -> dict[str, Any]:
    """Means, and the difference of rewards with its bootstrap interval."""
    apart = reward_difference(learned, rival)
    return {
        "scenarios": apart.samples,
        "traces": apart.groups,
        "rival": rival_name,
        "reward": {
            "policy": _mean(learned, "reward"),
            "rival": _mean(rival, "reward"),
            "difference": {
                name: round(end, 5) for name, end in (("mean", apart.value), ("low", apart.low), ("high", apart.high))
            },
        },
        **{
            measure: {"policy": _mean(learned, measure), "rival": _mean(rival, measure)}
            for measure in learned[0].MEASURES
        },
    }


def reward_difference(first: Sequence[Score], second: Sequence[Score]) -> Interval:
    """Of the same scenarios; those of one trace are drawn together."""
    rewards = ([score.reward for score in scores] for scores in (first, second))
    return difference_of_means(*rewards, groups=[score.trace for score in first])


def difference_text(apart: Interval, digits: int) -> str:
    """With its interval, where there are traces enough for one."""
    mean = f"{apart.value:+.{digits}f}"
    if not apart.has_enough_groups:
        return mean
    return f"{mean} ({apart.low:+.{digits}f} to {apart.high:+.{digits}f})"


def contender_table(
    scores: Mapping[str, Sequence[ScoreT]], *, reward: str, digits: int, columns: Sequence[Column[ScoreT]]
) -> str:
    """Markdown, means; the difference is the first contender's reward minus this one's, in the same scenarios."""
    first = next(iter(scores.values()))
    titles = (reward, "the first minus it", *(title for title, _, _ in columns))
    rows = [
        (
            name,
            f"{fmean(score.reward for score in its):.{digits}f}",
            "" if its is first else difference_text(reward_difference(first, its), digits),
            *(f"{fmean(map(read, its)):.{places}f}" for _, read, places in columns),
        )
        for name, its in scores.items()
    ]
    lines = (("contender", *titles), ("---", *["---:"] * len(titles)), *rows)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _mean(scores: Sequence[Score], measure: str) -> float:
    return round(fmean(getattr(score, measure) for score in scores), 5)
