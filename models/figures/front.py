"""Nuwa-RL beside Nuwa with a k throughout, on 4G and 5G: throughput against p95 queueing delay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from models.figures.arms import is_shipped
from models.figures.lineup import K_ARMS, evaluation, policy_arm, rivals
from models.figures.names import TITLES
from models.figures.pareto import Point, gain_over_front, pareto_front
from models.figures.player import Figures, Results
from models.figures.report import Figure, Group, PartReport, Reach, joined, not_shipped, row, typical_s
from models.recipes import RECIPES
from models.recipes.nuwa_rl import moves_k
from models.recipes.recipe import Recipe
from models.resampling import resampled

OUTSIDE = Reach("at least", 0.0)


def is_4g(trace: str) -> bool:
    """Generated or recorded."""
    return "lte" in trace.lower()


def is_5g(trace: str) -> bool:
    """Generated; there are no recordings."""
    return trace.startswith("5g-like")


FAMILIES = {"4G": is_4g, "5G": is_5g}


def report(figures: Figures) -> PartReport:
    """A group for each policy and family, from the episodes in which rewards are compared. Raises PolicyError."""
    return joined(*(part for policy in RECIPES if moves_k(policy) for part in _of(figures, policy)))


def _of(figures: Figures, policy: Recipe) -> Iterator[PartReport]:
    title = TITLES[policy.name]
    if not is_shipped(policy.name, figures.settings.policies):
        yield not_shipped(title, "front")
        return
    scenarios = evaluation(policy, figures)
    arms = (policy_arm(policy.name), *rivals(policy, figures))
    results = figures.play(f"rewards, {title}", policy.name, arms, scenarios)
    for family, has in FAMILIES.items():
        chosen = [index for index, scenario in enumerate(scenarios) if has(scenario.trace)]
        names = (title, *(arm.name for arm in K_ARMS))
        traces = [scenarios[index].trace for index in chosen]
        yield _family(family, title, {name: [results[name][index] for index in chosen] for name in names}, traces)


def _family(family: str, title: str, results: Results, traces: Sequence[str]) -> PartReport:
    """The front is drawn anew from each resample of the traces."""

    def points(indices: Sequence[int]) -> dict[str, Point]:
        return {
            name: Point(
                typical_s([played[index].queueing_p95_s for index in indices]),
                fmean(played[index].throughput_bits_per_s for index in indices),
            )
            for name, played in results.items()
        }

    def gain(indices: Sequence[int]) -> float:
        at = points(indices)
        return 100 * gain_over_front(at.pop(title), list(at.values()))

    group = f"{title}, {family}"
    if not traces:
        return PartReport((Group(group, (), note="no traces of this family were played"),), ())
    fixed = points(range(len(traces)))
    mine = fixed.pop(title)
    front = pareto_front(list(fixed.values()))
    rows = tuple(row(name, played, is_policy=name == title) for name, played in results.items())
    on_front = tuple(name for name, point in fixed.items() if point in front)
    what = f"{title} on {family}: throughput above the front of Nuwa's k at the same p95 queueing delay"
    if mine.delay_s < front[0].delay_s:
        share = mine.throughput_bits_per_s / front[0].throughput_bits_per_s
        what += f" (it waits less than any k, and carries {share:.2f} of what the k of least delay does)"
    return PartReport((Group(group, rows, front=on_front),), (Figure(what, resampled(traces, gain), "%", OUTSIDE),))
