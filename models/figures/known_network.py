"""Owl with more and less of the network known, beside CUBIC and ABC: figure 5 of its paper.

CUBIC does the same whatever is known; ABC is CUBIC where the bottleneck is no router of ABC's (`scenarios/routed.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.evaluation.resampling import difference_of_means
from models.figures.arms import Arm, is_shipped
from models.figures.lineup import evaluation, policy_arm
from models.figures.names import TITLES
from models.figures.player import Figures, Results
from models.figures.report import Difference, Figure, Group, PartReport, joined, not_shipped, row
from models.recipes import RECIPES
from models.recipes.recipe import Recipe

KNOWN_RATIOS = (0.0, 0.5, 0.8, 1.0)
CUBIC = Arm("cubic", "cubic")
ABC = Arm("abc", "abc", is_routed=True)


def report(figures: Figures) -> PartReport:
    """A group for each policy that is told, and each share that is known, as figure 5; nothing is to be reached.

    Raises PolicyError.
    """
    return joined(*(_of(figures, policy) for policy in RECIPES if any(policy.scenarios.known_ratios)))


def _of(figures: Figures, policy: Recipe) -> PartReport:
    name, title = policy.name, TITLES[policy.name]
    if not is_shipped(name, figures.settings.policies):
        return not_shipped(title, "known network")
    scenarios = [replace(scenario, known_ratio=0.0) for scenario in evaluation(policy, figures)]
    cubic = figures.play(f"CUBIC beside {title}, network unknown", name, (CUBIC,), scenarios)
    groups: list[Group] = []
    for known_ratio in KNOWN_RATIOS:
        known = [replace(scenario, known_ratio=known_ratio) for scenario in scenarios]
        share = f"{title}, {100 * known_ratio:g} % known"
        results = figures.play(f"{share} of the network", name, (policy_arm(name), ABC), known) | cubic
        groups.append(_group(share, title, results, [scenario.trace for scenario in known], known_ratio))
    return PartReport(tuple(groups), tuple(figure for group in groups for figure in _figures(group)))


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
