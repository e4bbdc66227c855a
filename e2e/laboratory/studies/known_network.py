"""Owl with more and less of the network known, beside CUBIC and ABC: figure 5 of its paper.

CUBIC does the same whatever is known; ABC is CUBIC where the bottleneck is no router of ABC's (`scenarios/routed.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from e2e.laboratory.learned.arms import Arm, is_shipped
from e2e.laboratory.learned.episode_runs import Episodes, Results
from e2e.laboratory.learned.lineup import evaluation, policy_arm
from e2e.laboratory.learned.names import TITLES
from e2e.laboratory.learned.report import Difference, Figure, Findings, Group, joined, not_shipped, row
from e2e.laboratory.studies.study import Study
from models.evaluation.resampling import difference_of_means
from models.recipes import RECIPES
from models.recipes.recipe import Recipe

KNOWN_RATIOS = (0.0, 0.5, 0.8, 1.0)
CUBIC = Arm("cubic", "cubic")
ABC = Arm("abc", "abc", is_routed=True)


def report(episodes: Episodes) -> Findings:
    """A group for each policy that is told, and each share that is known, as figure 5; nothing is to be reached.

    Raises PolicyError.
    """
    return joined(*(_of(episodes, policy) for policy in RECIPES if any(policy.scenarios.known_ratios)))


def _of(episodes: Episodes, policy: Recipe) -> Findings:
    name, title = policy.name, TITLES[policy.name]
    if not is_shipped(name, episodes.settings.policies):
        return not_shipped(title, "known network")
    scenarios = [replace(scenario, known_ratio=0.0) for scenario in evaluation(policy, episodes)]
    cubic = episodes.play(f"CUBIC beside {title}, network unknown", name, (CUBIC,), scenarios)
    groups: list[Group] = []
    for known_ratio in KNOWN_RATIOS:
        known = [replace(scenario, known_ratio=known_ratio) for scenario in scenarios]
        share = f"{title}, {100 * known_ratio:g} % known"
        results = episodes.play(f"{share} of the network", name, (policy_arm(name), ABC), known) | cubic
        groups.append(_group(share, title, results, [scenario.trace for scenario in known], known_ratio))
    return Findings(tuple(groups), tuple(figure for group in groups for figure in _figures(group)))


def _figures(group: Group) -> Iterator[Figure]:
    """Throughput and round trip of all in it."""
    for each in group.rows:
        yield Figure(f"{group.name}: throughput of {each.name}", each.throughput_bits_per_s / 1e6, "Mbit/s")
        yield Figure(f"{group.name}: round trip of {each.name}", 1000 * each.latency_s, "ms")


def _group(share: str, title: str, results: Results, traces: Sequence[str], known_ratio: float) -> Group:
    rewards = {name: [each.reward for each in played] for name, played in results.items()}
    gain = difference_of_means(rewards[title], rewards[CUBIC.name], groups=traces)
    return Group(
        share,
        tuple(row(name, played, is_policy=name == title) for name, played in results.items()),
        (Difference(title, CUBIC.name, gain, is_to_be_beaten=False),),
        known_ratio=known_ratio,
    )


STUDY = Study(
    "known-network",
    "Owl with more and less of the network known",
    "The test traces with 0, 50, 80 and 100 % of the path's switches known. ABC has a router where the bottleneck "
    "is one of these, and is CUBIC elsewhere. The paper's figure 5.",
    report,
)
