"""Who plays for a policy's figures, and in which scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cc.receiver.presets import PRESETS
from e2e.laboratory.learned.arms import Arm, is_shipped
from e2e.laboratory.learned.episode_runs import Settings
from models.evaluation.comparison import EVALUATION_SEED
from models.recipes import RECIPES
from models.recipes.nuwa_rl import FIXED_KS, fixed_k, moves_k
from models.recipes.recipe import Recipe
from models.scenarios.scenario import Scenario

TITLES = {recipe.name: recipe.scheme.title for recipe in RECIPES}
"""What policies are called on pages: as their schemes."""
K_ARMS = tuple(Arm(f"Nuwa, k = {k:g}", "nuwa", k=k) for k in FIXED_KS)
_K_ARMS_OF_RIVALS = {fixed_k(k).name: arm.name for k, arm in zip(FIXED_KS, K_ARMS, strict=True)}
NUWA_ARMS = (
    *K_ARMS,
    *(Arm(f"Nuwa, {preset.name}", "nuwa", preset=preset.name) for preset in PRESETS),
)
"""All k with the preset that Nuwa-RL has, all presets with a k of their own."""


def policy_arm(name: str) -> Arm:
    """The shipped policy of this name."""
    return Arm(TITLES[name], name)


def rivals(policy: Recipe, policies: Path) -> Sequence[Arm]:
    """Those that can be had."""
    if moves_k(policy):
        return NUWA_ARMS
    arms = [
        Arm(rival.name, rival.scheme_name or policy.name, rival_of=None if rival.scheme_name else policy.name)
        for rival in policy.rivals
    ]
    return [arm for arm in arms if arm.policy is None or is_shipped(arm.policy, policies)]


def to_beat(policy: Recipe) -> Sequence[str]:
    """The arms that it must beat: those that its recipe names, or the first of its rivals."""
    names = policy.to_beat or (policy.rivals[0].name,)
    return [_K_ARMS_OF_RIVALS.get(name, name) for name in names]


def evaluation(policy: Recipe, settings: Settings, episodes_per_trace: int) -> Sequence[Scenario]:
    """Some of each trace, the same each time; with five the same as on the policy's card."""
    scenarios = policy.scenarios.fixed(settings.split, seed=EVALUATION_SEED, episodes_per_trace=episodes_per_trace)
    return scenarios[:: settings.every]
