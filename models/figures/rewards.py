"""Each policy's own reward beside its rivals', over the test traces."""

from __future__ import annotations

from collections.abc import Sequence

from cc.presets import PRESETS
from cc.receiver.nuwa_rl import NuwaRl
from models.comparison import EVALUATION_SEED
from models.figures.arms import Arm, is_shipped
from models.figures.names import TITLES
from models.figures.player import Figures, Results
from models.figures.report import NOT_SHIPPED, Difference, Figure, Group, PartReport, Reach, not_shipped, row
from models.recipes import RECIPES
from models.recipes.recipe import Recipe
from models.resampling import difference_of_means
from models.scenarios.scenario import Scenario

FIXED_KS = (1.0, 2.0, 4.0, 7.0, 9.0)
NUWA_ARMS = (
    *(Arm(f"Nuwa, k = {k:g}", "nuwa", k=k) for k in FIXED_KS),
    *(Arm(f"Nuwa, {preset.name}", "nuwa", preset=preset.name) for preset in PRESETS),
)
"""All k with the preset that Nuwa-RL has, all presets with a k of their own."""


def report(figures: Figures) -> PartReport:
    """A group for each policy. Raises PolicyError."""
    groups: list[Group] = []
    found: list[Figure] = []
    for policy in RECIPES:
        name = policy.name
        title = TITLES[name]
        if not is_shipped(name, figures.settings.policies):
            missing_policy = not_shipped(title, "reward")
            groups += missing_policy.groups
            found += missing_policy.figures
            continue
        arms = [policy_arm(name), *rivals(policy, figures)]
        results = figures.play(f"rewards, {title}", name, arms, evaluation(policy, figures))
        missing = [rival for rival in policy.to_beat if rival not in results]
        group = _group(policy, results, missing)
        groups.append(group)
        found += [_figure(difference) for difference in group.differences if difference.is_to_be_beaten]
        found += [Figure(f"{title} less {rival}: {rival} is {NOT_SHIPPED}", None) for rival in missing]
    return PartReport(tuple(groups), tuple(found))


def policy_arm(name: str) -> Arm:
    """The shipped policy of this name."""
    return Arm(TITLES[name], name)


def rivals(policy: Recipe, figures: Figures) -> Sequence[Arm]:
    """Those that can be had."""
    if moves_k(policy):
        return NUWA_ARMS
    arms = [
        Arm(rival.name, rival.scheme_name or policy.name, rival_of=None if rival.scheme_name else policy.name)
        for rival in policy.rivals
    ]
    return [arm for arm in arms if arm.policy is None or is_shipped(arm.policy, figures.settings.policies)]


def moves_k(policy: Recipe) -> bool:
    """Whether it is Nuwa-RL or a variant."""
    receiver = policy.scheme.make_receiver
    return isinstance(receiver, type) and issubclass(receiver, NuwaRl)


def evaluation(policy: Recipe, figures: Figures) -> Sequence[Scenario]:
    """Some of each trace, the same each time; with five the same as on the policy's card."""
    settings = figures.settings
    scenarios = policy.scenarios.fixed(settings.split, seed=EVALUATION_SEED, episodes_per_trace=settings.seeds)
    return scenarios[:: settings.every]


def _group(policy: Recipe, results: Results, missing: Sequence[str]) -> Group:
    title, *others = results
    rewards = {name: [each.reward for each in played] for name, played in results.items()}
    rows = tuple(row(name, played, is_policy=name == title) for name, played in results.items())
    best = max(rows[1:], key=lambda each: each.reward).name
    to_beat = policy.to_beat or (best,)
    differences = tuple(
        Difference(title, name, difference_of_means(rewards[title], rewards[name]), name in to_beat) for name in others
    )
    return Group(
        title,
        rows,
        differences,
        note=f"Of its rivals {', '.join(missing)} is {NOT_SHIPPED}." if missing else "",
        reward=policy.judge_text or policy.reward_text,
    )


def _figure(difference: Difference) -> Figure:
    what = f"{difference.policy}'s reward less {difference.rival}'s"
    return Figure(what, difference.interval, reach=Reach("above", 0.0), has_to_be_sure=True)
