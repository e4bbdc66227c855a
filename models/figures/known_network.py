"""Owl with more and less of the network known, beside CUBIC and ABC: figure 5 of its paper.

CUBIC does the same whatever is known; ABC is CUBIC where the bottleneck is no router of ABC's (`scenarios/routed.py`).
"""

from __future__ import annotations

from dataclasses import replace

from models.figures.arms import Arm, is_shipped
from models.figures.names import TITLES
from models.figures.player import Figures, Results
from models.figures.report import Difference, Group, PartReport, not_trained, row
from models.figures.rewards import evaluation, policy_arm
from models.resampling import difference_of_means
from models.training.recipes import recipe

NAME = "owl"
TITLE = TITLES[NAME]
KNOWN_RATIOS = (0.0, 0.5, 0.8, 1.0)
CUBIC = Arm("cubic", "cubic")
ABC = Arm("abc", "abc", is_routed=True)


def report(figures: Figures) -> PartReport:
    """A group for each share that is known; nothing is to be reached. Raises PolicyError."""
    if not is_shipped(NAME, figures.settings.policies):
        return not_trained(TITLE, "known network")
    policy = recipe(NAME)
    scenarios = [replace(scenario, known_ratio=0.0) for scenario in evaluation(policy, figures)]
    cubic = figures.play("CUBIC, network unknown", NAME, (CUBIC,), scenarios)
    groups = []
    for known_ratio in KNOWN_RATIOS:
        known = [replace(scenario, known_ratio=known_ratio) for scenario in scenarios]
        what = f"{TITLE}, {100 * known_ratio:g} % of the network known"
        groups.append(_group(known_ratio, figures.play(what, NAME, (policy_arm(NAME), ABC), known) | cubic))
    return PartReport(tuple(groups), ())


def _group(known_ratio: float, results: Results) -> Group:
    rewards = {name: [each.reward for each in played] for name, played in results.items()}
    gain = difference_of_means(rewards[TITLE], rewards[CUBIC.name])
    return Group(
        f"{100 * known_ratio:g} % known",
        tuple(row(name, played, is_policy=name == TITLE) for name, played in results.items()),
        (Difference(TITLE, CUBIC.name, gain, is_to_be_beaten=False),),
    )
