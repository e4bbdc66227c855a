"""A policy beside the scheme that it must beat, over the same scenarios, both through what serves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

from cc.registry import scheme
from models.policy import load_policy
from models.scenarios.episode import Contender
from models.scenarios.evaluation import Score, bootstrap, by_family, play_all
from models.scenarios.scenario import Scenario
from models.scenarios.splits import Split
from models.training.recipe import Recipe

EVALUATION_SEED = 1
EPISODES_PER_TRACE: dict[Split, int] = {"training": 1, "validation": 1, "test": 3}


def evaluation_scenarios(recipe: Recipe, split: Split) -> Sequence[Scenario]:
    """Some for each trace of the split, the same each time."""
    return recipe.scenarios.fixed(split, seed=EVALUATION_SEED, episodes_per_trace=EPISODES_PER_TRACE[split])


def compare(recipe: Recipe, folder: Path, scenarios: Sequence[Scenario]) -> dict[str, Any]:
    """The policy in `folder` beside the recipe's rival; differences are paired. Raises PolicyError."""
    policy = load_policy(recipe.name, folder, space=recipe.space)
    learned = play_all(lambda: _contender(recipe, policy.runner().decide), scenarios, recipe.reward)
    rival = play_all(lambda: Contender(scheme(recipe.rival)), scenarios, recipe.reward)
    families = by_family(rival)
    return comparison(recipe.rival, learned, rival) | {
        "families": {
            family: comparison(recipe.rival, scores, families[family]) for family, scores in by_family(learned).items()
        }
    }


def comparison(rival_name: str, learned: Sequence[Score], rival: Sequence[Score]) -> dict[str, Any]:
    """Means, and the difference of rewards with its bootstrap interval."""
    differences = [mine.reward - its.reward for mine, its in zip(learned, rival, strict=True)]
    return {
        "scenarios": len(learned),
        "rival": rival_name,
        "reward": {
            "policy": _mean(learned, "reward"),
            "rival": _mean(rival, "reward"),
            "difference": {name: round(value, 5) for name, value in asdict(bootstrap(differences)).items()},
        },
        **{
            measure: {"policy": _mean(learned, measure), "rival": _mean(rival, measure)}
            for measure in ("utilisation", "latency_s", "queueing_delay_s", "loss_ratio")
        },
    }


def _contender(recipe: Recipe, decide: Callable[..., float | None]) -> Contender:
    return Contender(recipe.scheme, decide=decide, make_sender=recipe.make_sender)


def _mean(scores: Sequence[Score], measure: str) -> float:
    return round(fmean(getattr(score, measure) for score in scores), 5)
