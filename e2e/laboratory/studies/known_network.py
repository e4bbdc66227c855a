"""Owl with more and less of the network known, beside CUBIC and ABC: figure 5 of its paper.

CUBIC does the same whatever is known; ABC is CUBIC where the bottleneck is no router of ABC's (`scenarios/routed.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from e2e.laboratory.figures.figure import Figure
from e2e.laboratory.learned import pictures
from e2e.laboratory.learned.arms import Arm, is_shipped
from e2e.laboratory.learned.episode_runs import Results
from e2e.laboratory.learned.groups import Difference, Group, row
from e2e.laboratory.learned.lineup import TITLES, evaluation, policy_arm
from e2e.laboratory.learned.pictures import Gallery
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, joined, not_shipped
from e2e.laboratory.studies.study import Study
from models.evaluation.resampling import difference_of_means
from models.recipes import RECIPES
from models.recipes.recipe import Recipe

KNOWN_RATIOS = (0.0, 0.5, 0.8, 1.0)
CUBIC = Arm("cubic", "cubic")
ABC = Arm("abc", "abc", is_routed=True)


def measure(bench: Bench) -> Findings:
    """A group for each policy that is told, and each share that is known, as figure 5; nothing is to be reached.

    Raises PolicyError.
    """
    return joined(*(_of(bench, policy) for policy in RECIPES if any(policy.scenarios.known_ratios)))


def _of(bench: Bench, policy: Recipe) -> Findings:
    name, title = policy.name, TITLES[policy.name]
    if not is_shipped(name, bench.settings.policies):
        return not_shipped(title, "known network")
    scenarios = [replace(scenario, known_ratio=0.0) for scenario in evaluation(policy, bench.settings, bench.repeats)]
    cubic = bench.play(f"CUBIC beside {title}, network unknown", name, (CUBIC,), scenarios)
    groups: list[Group] = []
    for known_ratio in KNOWN_RATIOS:
        known = [replace(scenario, known_ratio=known_ratio) for scenario in scenarios]
        share = f"{title}, {100 * known_ratio:g} % known"
        results = bench.play(f"{share} of the network", name, (policy_arm(name), ABC), known) | cubic
        groups.append(_group(share, title, results, [scenario.trace for scenario in known], known_ratio))
    figures = tuple(figure for group in groups for figure in _figures(group))
    return Findings(figures, tuple(groups), (_table(title, groups),))


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


def draw(findings: Findings) -> tuple[Gallery, ...]:
    """Each policy, by the share of the network that is known."""
    caption = "Means over all traces, by the share of the path's switches that is known."
    return tuple(
        Gallery(
            (
                pictures.known("Throughput", "Mbit/s", groups, lambda row: row.throughput_bits_per_s / 1e6),
                pictures.known("Round trip", "ms", groups, lambda row: 1000 * row.latency_s),
            ),
            caption,
            tuple(row.name for row in groups[0].rows),
        )
        for groups in _by_policy(findings.groups)
    )


def _by_policy(groups: Sequence[Group]) -> list[list[Group]]:
    by_policy: dict[str, list[Group]] = {}
    for group in groups:
        if group.known_ratio is not None:
            by_policy.setdefault(group.differences[0].policy, []).append(group)
    return list(by_policy.values())


def _table(title: str, groups: Sequence[Group]) -> Table:
    """A row an arm, a column a share."""
    header = ("Mbit/s, ms of round trip", *(f"{100 * (group.known_ratio or 0.0):g} % known" for group in groups))
    cells: dict[str, list[str]] = {}
    for each in chain.from_iterable(group.rows for group in groups):
        measured = f"{each.throughput_bits_per_s / 1e6:.2f}, {1000 * each.latency_s:.1f}"
        cells.setdefault(each.name, []).append(measured)
    return Table(title, header, tuple((name, *own) for name, own in cells.items()))


STUDY = Study(
    "Owl with more and less of the network known",
    "The test traces with 0, 50, 80 and 100 % of the path's switches known. ABC has a router where the bottleneck "
    "is one of these, and is CUBIC elsewhere. The paper's figure 5.",
    measure,
    draw,
)
