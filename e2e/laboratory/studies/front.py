"""Nuwa-RL beside Nuwa with a k throughout, on 4G and 5G: throughput against p95 queueing delay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from e2e.laboratory.learned.arms import is_shipped
from e2e.laboratory.learned.episode_runs import Episodes, Results
from e2e.laboratory.learned.lineup import K_ARMS, evaluation, policy_arm, rivals
from e2e.laboratory.learned.names import TITLES
from e2e.laboratory.learned.pareto import Point, gain_over_front, pareto_front
from e2e.laboratory.learned.report import Figure, Findings, Group, Reach, joined, not_shipped, row, typical_s
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


def report(episodes: Episodes) -> Findings:
    """A group for each policy and family, from the episodes in which rewards are compared. Raises PolicyError."""
    return joined(*(part for policy in RECIPES if moves_k(policy) for part in _of(episodes, policy)))


def _of(episodes: Episodes, policy: Recipe) -> Iterator[Findings]:
    title = TITLES[policy.name]
    if not is_shipped(policy.name, episodes.settings.policies):
        yield not_shipped(title, "front")
        return
    scenarios = evaluation(policy, episodes)
    arms = (policy_arm(policy.name), *rivals(policy, episodes))
    results = episodes.play(f"rewards, {title}", policy.name, arms, scenarios)
    for family, has in FAMILIES.items():
        chosen = [index for index, scenario in enumerate(scenarios) if has(scenario.trace)]
        names = (title, *(arm.name for arm in K_ARMS))
        traces = [scenarios[index].trace for index in chosen]
        yield _family(family, title, {name: [results[name][index] for index in chosen] for name in names}, traces)


def _family(family: str, title: str, results: Results, traces: Sequence[str]) -> Findings:
    group = f"{title}, {family}"
    if not traces:
        return Findings((Group(group, (), note="no traces of this family were played"),), ())
    points = _points(results, range(len(traces)))
    front = pareto_front([points[arm.name] for arm in K_ARMS])
    rows = tuple(row(name, played, is_policy=name == title) for name, played in results.items())
    on_front = tuple(arm.name for arm in K_ARMS if points[arm.name] in front)
    figures = (
        _gain(f"{title} on {family}: throughput above the front of {whose}", title, ks, results, traces)
        for whose, ks in FRONTS.items()
    )
    return Findings((Group(group, rows, front=on_front),), tuple(figures))


def _gain(what: str, title: str, ks: Sequence[str], results: Results, traces: Sequence[str]) -> Figure:
    """The front is drawn anew from each resample of the traces."""

    def gain(indices: Sequence[int]) -> float:
        points = _points(results, indices)
        return 100 * gain_over_front(points[title], [points[k] for k in ks])

    points = _points(results, range(len(traces)))
    mine, least = points[title], pareto_front([points[k] for k in ks])[0]
    what += " at the same p95 queueing delay"
    if mine.delay_s < least.delay_s:
        share = mine.throughput_bits_per_s / least.throughput_bits_per_s
        what += f" (it waits less than any, and carries {share:.2f} of what the k of least delay does)"
    return Figure(what, resampled(traces, gain), "%", OUTSIDE)


def _points(results: Results, indices: Sequence[int]) -> dict[str, Point]:
    return {
        name: Point(
            typical_s([played[index].queueing_p95_s for index in indices]),
            fmean(played[index].throughput_bits_per_s for index in indices),
        )
        for name, played in results.items()
    }


STUDY = Study(
    "front",
    "Nuwa-RL beside Nuwa with a k throughout",
    "Of the episodes in which rewards are compared, those over 4G (generated and recorded LTE) and 5G (generated). "
    "A front joins the k that no other k beats in both measures; outside of it is more throughput at the same "
    "delay, or less delay than any k has. The paper has k = 2 and 7 beside Nuwa-RL (figure 16); the front of all k "
    "that are played is stricter, and marked in the tables. Delays are geometric means: an outage in one episode "
    "of forty would decide about arithmetic ones.",
    report,
)
