"""Nuwa-RL beside Nuwa with a k throughout, on 4G and 5G: throughput against p95 queueing delay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned import pictures
from e2e.laboratory.learned.arms import is_shipped
from e2e.laboratory.learned.episode_runs import Results
from e2e.laboratory.learned.groups import Group, row, typical_s
from e2e.laboratory.learned.lineup import K_ARMS, TITLES, evaluation, policy_arm, rivals
from e2e.laboratory.learned.pictures import Gallery
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, joined, not_shipped
from e2e.laboratory.studies.study import Study
from models.evaluation.resampling import resampled
from models.recipes import RECIPES
from models.recipes.nuwa_rl import moves_k
from models.recipes.recipe import Recipe

OUTSIDE = Reach("at least", 0.0)
FRONTS = {
    "Nuwa's k = 2 and 7": ("Nuwa, k = 2", "Nuwa, k = 7"),
    "all of Nuwa's k": tuple(arm.name for arm in K_ARMS),
}
"""Who draws each: those that the paper has beside Nuwa-RL (figure 16), and, which is stricter, all that are played."""


def is_4g(trace: str) -> bool:
    """Generated or recorded."""
    return "lte" in trace.lower()


def is_5g(trace: str) -> bool:
    """Generated; there are no recordings."""
    return trace.startswith("5g-like")


FAMILIES = {"4G": is_4g, "5G": is_5g}


def measure(bench: Bench) -> Findings:
    """A group for each policy and family, from the episodes in which rewards are compared. Raises PolicyError."""
    return joined(*(part for policy in RECIPES if moves_k(policy) for part in _of(bench, policy)))


def _of(bench: Bench, policy: Recipe) -> Iterator[Findings]:
    title = TITLES[policy.name]
    if not is_shipped(policy.name, bench.settings.policies):
        yield not_shipped(title, "front of k")
        return
    scenarios = evaluation(policy, bench.settings, bench.repeats)
    arms = (policy_arm(policy.name), *rivals(policy, bench.settings.policies))
    results = bench.play(f"rewards, {title}", policy.name, arms, scenarios)
    for family, has in FAMILIES.items():
        chosen = [index for index, scenario in enumerate(scenarios) if has(scenario.trace)]
        names = (title, *(arm.name for arm in K_ARMS))
        traces = [scenarios[index].trace for index in chosen]
        yield _family(family, title, {name: [results[name][index] for index in chosen] for name in names}, traces)


def _family(family: str, title: str, results: Results, traces: Sequence[str]) -> Findings:
    group = f"{title}, {family}"
    if not traces:
        return Findings((), (Group(group, (), note="no traces of this family were played"),))
    points = _points(results, range(len(traces)))
    front = pareto_front([points[arm.name] for arm in K_ARMS])
    rows = tuple(row(name, played, is_policy=name == title) for name, played in results.items())
    on_front = tuple(arm.name for arm in K_ARMS if points[arm.name] in front)
    figures = (
        _gain(f"{title} on {family}: throughput above the front of {whose}", title, ks, results, traces)
        for whose, ks in FRONTS.items()
    )
    return Findings(tuple(figures), (Group(group, rows, front=on_front),))


def _gain(what: str, title: str, ks: Sequence[str], results: Results, traces: Sequence[str]) -> Figure:
    """The front is drawn anew from each resample of the traces.

    Left of the front, with no more throughput, the gain is 0 by definition: that has no interval.
    """

    def gain(indices: Sequence[int]) -> float:
        points = _points(results, indices)
        return 100 * gain_over_front(points[title], [points[k] for k in ks])

    points = _points(results, range(len(traces)))
    mine, least = points[title], pareto_front([points[k] for k in ks])[0]
    what += " at the same p95 queueing delay"
    if mine.delay_s < least.delay_s:
        share = mine.throughput_bits_per_s / least.throughput_bits_per_s
        what += f" (it waits less than any, and carries {share:.2f} of what the k of least delay does)"
        if share <= 1:
            return Figure(what, 0.0, "%", reach=OUTSIDE)
    return Figure.of_interval(what, resampled(traces, gain), "%", reach=OUTSIDE)


def _points(results: Results, indices: Sequence[int]) -> dict[str, Point]:
    return {
        name: Point(
            typical_s([played[index].queueing_p95_s for index in indices]),
            fmean(played[index].throughput_bits_per_s for index in indices),
        )
        for name, played in results.items()
    }


def draw(findings: Findings) -> tuple[Gallery, ...]:
    """Each policy and family."""
    caption = (
        "Throughput against the 95th percentile of the queueing delay, which falls to the right: better is up and "
        "right. The line is the front of Nuwa's k."
    )
    return (Gallery(tuple(pictures.front(group) for group in findings.groups if group.rows), caption),)


class Point(NamedTuple):
    """Less delay and more throughput are better."""

    delay_s: float
    throughput_bits_per_s: float


def pareto_front(points: Sequence[Point]) -> list[Point]:
    """Those than which no other has both less or the same delay and more or the same throughput; by delay."""
    front: list[Point] = []
    for point in sorted(points, key=lambda each: (each.delay_s, -each.throughput_bits_per_s)):
        if not front or point.throughput_bits_per_s > front[-1].throughput_bits_per_s:
            front.append(point)
    return front


def gain_over_front(point: Point, others: Sequence[Point]) -> float:
    """Throughput over what the front has at the same delay, less 1; straight lines join the front's points.

    To the left of the front, where nobody has so little delay, what counts is its point of least delay: less
    throughput than that is no loss, and the gain is at least 0. To the right of it, where a point carries no more
    than the greediest and waits longer, delay counts, too: a loss is at least the share of it that was for nothing.
    """
    front = pareto_front(others)
    if point.delay_s < front[0].delay_s:
        return max(0.0, point.throughput_bits_per_s / front[0].throughput_bits_per_s - 1)
    greediest = front[-1]
    if point.delay_s > greediest.delay_s and point.throughput_bits_per_s <= greediest.throughput_bits_per_s:
        return min(point.throughput_bits_per_s / greediest.throughput_bits_per_s, greediest.delay_s / point.delay_s) - 1
    at_delay = greediest.throughput_bits_per_s
    for left, right in pairwise(front):
        if left.delay_s <= point.delay_s < right.delay_s:
            share = (point.delay_s - left.delay_s) / (right.delay_s - left.delay_s)
            at_delay = (1 - share) * left.throughput_bits_per_s + share * right.throughput_bits_per_s
    return point.throughput_bits_per_s / at_delay - 1


STUDY = Study(
    "Nuwa-RL beside Nuwa with a k throughout",
    "Of the episodes in which rewards are compared, those over 4G (generated and recorded LTE) and 5G (generated). "
    "A front joins the k that no other k beats in both measures; outside of it is more throughput at the same "
    "delay, or less delay than any k has. The paper has k = 2 and 7 beside Nuwa-RL (figure 16); the front of all k "
    "that are played is stricter, and marked in the tables. Delays are geometric means: an outage in one episode "
    "of forty would decide about arithmetic ones.",
    measure,
    draw,
)
