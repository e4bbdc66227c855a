"""Each policy's own reward beside its rivals', over the test traces."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.laboratory.learned.arms import is_shipped
from e2e.laboratory.learned.episode_runs import Episodes, Results
from e2e.laboratory.learned.lineup import evaluation, policy_arm, rivals, to_beat
from e2e.laboratory.learned.names import TITLES
from e2e.laboratory.learned.report import NOT_SHIPPED, Difference, Figure, Findings, Group, Reach, not_shipped, row
from e2e.laboratory.studies.study import Study
from models.evaluation.resampling import difference_of_means
from models.recipes import RECIPES
from models.recipes.recipe import Recipe


def report(episodes: Episodes) -> Findings:
    """A group for each policy. Raises PolicyError."""
    groups: list[Group] = []
    found: list[Figure] = []
    for policy in RECIPES:
        name = policy.name
        title = TITLES[name]
        if not is_shipped(name, episodes.settings.policies):
            missing_policy = not_shipped(title, "reward")
            groups += missing_policy.groups
            found += missing_policy.figures
            continue
        arms = [policy_arm(name), *rivals(policy, episodes)]
        scenarios = evaluation(policy, episodes)
        results = episodes.play(f"rewards, {title}", name, arms, scenarios)
        missing = [rival for rival in to_beat(policy) if rival not in results]
        group = _group(policy, results, [scenario.trace for scenario in scenarios], missing)
        groups.append(group)
        found += [_figure(difference) for difference in group.differences if difference.is_to_be_beaten]
        found += [Figure(f"{title} less {rival}: {rival} is {NOT_SHIPPED}", None) for rival in missing]
    return Findings(tuple(groups), tuple(found))


def _group(policy: Recipe, results: Results, traces: Sequence[str], missing: Sequence[str]) -> Group:
    title, *others = results
    rewards = {name: [each.reward for each in played] for name, played in results.items()}
    rows = tuple(row(name, played, is_policy=name == title) for name, played in results.items())
    strongest = to_beat(policy)
    differences = tuple(
        Difference(title, name, difference_of_means(rewards[title], rewards[name], groups=traces), name in strongest)
        for name in others
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


STUDY = Study(
    "rewards",
    "Each policy by its own reward",
    "Every policy and its rivals meet the same episodes over traces that no training saw. Differences of rewards "
    "are those of the pairs; their intervals resample traces, and have to lie above zero. Nuwa-RL has to beat the "
    "k of Nuwa's that was best on training traces; presets with other target delays are shown beside it, and may "
    "have more.",
    report,
)
