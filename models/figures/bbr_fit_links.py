"""BBR-FIT beside BBR over links like its paper's: table III."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from models.evaluation.resampling import Interval, ratio_of_means
from models.figures.arms import Arm, is_shipped
from models.figures.lineup import policy_arm
from models.figures.names import TITLES
from models.figures.player import Figures
from models.figures.plays import Played
from models.figures.report import Figure, Group, PartReport, Reach, not_shipped, row
from models.recipes import recipe
from models.scenarios.seeds import with_seeds

NAME = "bbr-fit"
TITLE = TITLES[NAME]
BBR = Arm("bbr", "bbr")
UTILISATION = Reach("at least", 1.2)  # the paper: 0.858 / 0.614 = 1.40
LATENCY = Reach("at most", 1.0)  # the paper: 61.86 / 64.86 ms = 0.95


def report(figures: Figures) -> PartReport:
    """Over 4G, 5G, 24 Mbit/s and wifi. Raises PolicyError."""
    if not is_shipped(NAME, figures.settings.policies):
        return not_shipped(TITLE, "its paper's links")
    links = recipe(NAME).paper_setting
    scenarios = with_seeds(links, figures.settings.seeds)
    results = figures.play(f"{TITLE}, its paper's links", NAME, (policy_arm(NAME), BBR), scenarios)

    def ratio(read: Callable[[Played], float]) -> Interval:
        arms = (_by_seed(results[name], len(links)) for name in (TITLE, BBR.name))
        return ratio_of_means(*([fmean(map(read, of_seed)) for of_seed in arm] for arm in arms))

    utilisation, latency = ratio(lambda played: played.utilisation), ratio(lambda played: played.latency_s)
    traces = ", ".join(link.trace for link in links)
    return PartReport(
        tuple(
            Group(
                link.trace,
                tuple(row(name, played[at :: len(links)], is_policy=name == TITLE) for name, played in results.items()),
            )
            for at, link in enumerate(links)
        ),
        (
            Figure(f"{TITLE} / BBR over {traces}: link utilisation", utilisation, reach=UTILISATION),
            Figure(f"{TITLE} / BBR over {traces}: latency", latency, reach=LATENCY),
        ),
    )


def _by_seed(played: Sequence[Played], links: int) -> list[Sequence[Played]]:
    return [played[first : first + links] for first in range(0, len(played), links)]
