"""BBR-FIT beside BBR over links like its paper's: table III."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned.arms import Arm, is_shipped
from e2e.laboratory.learned.groups import Group, row
from e2e.laboratory.learned.lineup import TITLES, policy_arm
from e2e.laboratory.learned.plays import Played
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, not_shipped
from e2e.laboratory.studies.study import Study
from models.evaluation.resampling import Interval
from models.evaluation.student import ratio_of_groups
from models.recipes import recipe
from models.scenarios.seeds import with_seeds

NAME = "bbr-fit"
TITLE = TITLES[NAME]
BBR = Arm("bbr", "bbr")
UTILISATION = Reach("at least", 1.2)  # the paper: 0.858 / 0.614 = 1.40
LATENCY = Reach("at most", 1.0)  # the paper: 61.86 / 64.86 ms = 0.95


def measure(bench: Bench) -> Findings:
    """Over 4G, 5G, 24 Mbit/s and wifi. Raises PolicyError."""
    if not is_shipped(NAME, bench.settings.policies):
        return not_shipped(TITLE, "its paper's links")
    links = recipe(NAME).paper_setting
    scenarios = with_seeds(links, bench.repeats)
    results = bench.play(f"{TITLE}, its paper's links", NAME, (policy_arm(NAME), BBR), scenarios)

    def ratio(read: Callable[[Played], float]) -> Interval:
        arms = (_by_seed(results[name], len(links)) for name in (TITLE, BBR.name))
        mine, its = ([fmean(map(read, of_seed)) for of_seed in arm] for arm in arms)
        return ratio_of_groups(mine, its, range(len(mine)))

    utilisation, latency = ratio(lambda played: played.utilisation), ratio(lambda played: played.latency_s)
    traces = ", ".join(link.trace for link in links)
    return Findings(
        groups=tuple(
            Group(
                link.trace,
                tuple(row(name, played[at :: len(links)], is_policy=name == TITLE) for name, played in results.items()),
            )
            for at, link in enumerate(links)
        ),
        figures=(
            Figure.of_interval(f"{TITLE} / BBR over {traces}: link utilisation", utilisation, reach=UTILISATION),
            Figure.of_interval(f"{TITLE} / BBR over {traces}: latency", latency, reach=LATENCY),
        ),
    )


def _by_seed(played: Sequence[Played], links: int) -> list[Sequence[Played]]:
    return [played[first : first + links] for first in range(0, len(played), links)]


STUDY = Study(
    "BBR-FIT beside BBR over its paper's links",
    "40 ms, a queue of one bandwidth-delay product, 100 s, each seed begun elsewhere in the trace. Latency is the "
    "base round trip and the mean queueing delay. The paper's table III has 1.40 and 0.95.",
    measure,
    is_of_test_links=True,
)
