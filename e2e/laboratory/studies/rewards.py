"""Each policy's own reward beside its rivals', over the test traces."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned.arms import is_shipped
from e2e.laboratory.learned.episode_runs import Results
from e2e.laboratory.learned.groups import Difference, Group, row
from e2e.laboratory.learned.lineup import TITLES, evaluation, policy_arm, rivals, to_beat
from e2e.laboratory.learned.pictures import Gallery, intervals
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import NOT_SHIPPED, Findings, not_shipped
from e2e.laboratory.studies.study import Study
from models.evaluation.resampling import difference_of_means
from models.recipes import RECIPES
from models.recipes.recipe import Recipe


def measure(bench: Bench) -> Findings:
    """A group for each policy. Raises PolicyError."""
    groups: list[Group] = []
    found: list[Figure] = []
    for policy in RECIPES:
        name = policy.name
        title = TITLES[name]
        if not is_shipped(name, bench.settings.policies):
            missing_policy = not_shipped(title, "reward")
            groups += missing_policy.groups
            found += missing_policy.figures
            continue
        arms = [policy_arm(name), *rivals(policy, bench.settings.policies)]
        scenarios = evaluation(policy, bench.settings, bench.repeats)
        results = bench.play(f"rewards, {title}", name, arms, scenarios)
        missing = [rival for rival in to_beat(policy) if rival not in results]
        group = _group(policy, results, [scenario.trace for scenario in scenarios], missing)
        groups.append(group)
        found += [_figure(difference) for difference in group.differences if difference.is_to_be_beaten]
        found += [Figure(f"{title} less {rival}: {rival} is {NOT_SHIPPED}", None) for rival in missing]
    return Findings(tuple(found), tuple(groups))


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
    return Figure.of_interval(what, difference.interval, reach=Reach("above", 0.0), has_to_be_sure=True)


def draw(findings: Findings) -> tuple[Gallery, ...]:
    """Each policy's differences."""
    caption = (
        "The policy's reward less each rival's, with its 95 % interval, in the policy's own units: right of the line "
        "it is better. Filled marks are the rivals that it must beat."
    )
    return (Gallery(tuple(intervals(group) for group in findings.groups if group.differences), caption),)


STUDY = Study(
    "Each policy by its own reward",
    "Every policy and its rivals meet the same episodes over traces that no training saw. Differences of rewards "
    "are those of the pairs; their intervals resample traces, and have to lie above zero. Nuwa-RL has to beat the "
    "k of Nuwa's that was best on training traces; presets with other target delays are shown beside it, and may "
    "have more.",
    measure,
    draw,
)
