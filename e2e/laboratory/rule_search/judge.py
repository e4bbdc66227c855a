"""Plays candidates' films over links, the same starts for each; what they are worth is what the search raises."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from cc.links.link import OPPORTUNITY_BYTES
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.films.make import play_all
from e2e.laboratory.films.rows import qoe_log
from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.matrix.links import family
from e2e.laboratory.matrix.trace_window import start_of_seed_ms

SCHEME = "kuafu"
"""The page's."""
USED_SHARE = 0.85
"""Of a link's rate: what a film's bitrate may come to in the mean."""
LOG_WEIGHT = 0.5
"""Of QoE_log, beside QoE_lin: fast links alone do not decide."""
STALL_WEIGHT_PER_S = 0.05
"""QoE_lin weighs a second of stall little beside the top rung; viewers do not."""


@dataclass(frozen=True, slots=True)
class FilmWorth:
    """Of one film, or the mean of several."""

    worth: float
    qoe_per_segment: float
    qoe_log_per_segment: float
    stalled_s: float


def film_worth(result: FilmResult, link: LoadedLink, rungs_bits_per_s: Sequence[float]) -> FilmWorth:
    """QoE over what the link could carry of these rungs, less stalls; nothing was won where nothing was played."""
    rates = [segment.bits_per_second for segment in result.played.segments]
    lowest, highest = min(rungs_bits_per_s), max(rungs_bits_per_s)
    stalled_s = result.played.stalled_s
    linear = 0.0 if result.played.qoe is None else result.played.qoe.per_segment
    logarithmic = qoe_log(rates, stalled_s, lowest) or 0.0
    bits_per_s = 8000 * OPPORTUNITY_BYTES * len(link.downlink_ms) / link.downlink_ms[-1]
    scale = min(highest, max(2 * lowest, USED_SHARE * bits_per_s))
    worth = (
        linear / (scale / 1e6) + LOG_WEIGHT * logarithmic / math.log(scale / lowest) - STALL_WEIGHT_PER_S * stalled_s
    )
    return FilmWorth(worth, linear, logarithmic, stalled_s)


def mean_worth(films: Sequence[FilmWorth]) -> FilmWorth:
    """Of all; at least one."""
    return FilmWorth(
        fmean(film.worth for film in films),
        fmean(film.qoe_per_segment for film in films),
        fmean(film.qoe_log_per_segment for film in films),
        fmean(film.stalled_s for film in films),
    )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule by the receiver's estimate, under the page's scheme."""

    rule: str = "nuwa"
    constants: Mapping[str, float] = field(default_factory=dict)
    """Those that are not as chosen."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Over these links, with a film of these rungs."""

    folder: Path
    rungs_bits_per_s: Sequence[float]
    links: Sequence[LoadedLink]
    jobs: int

    def judge(self, candidates: Sequence[Candidate], seeds: Sequence[int]) -> list[FilmWorth]:
        """Mean over the families of links. Raises FilmFailure."""
        asked = [
            (candidate, link, seed) for link in self.links for seed in seeds for candidate in range(len(candidates))
        ]
        plans = [self._plan(candidates[candidate], link, seed) for candidate, link, seed in asked]
        families: list[dict[str, list[FilmWorth]]] = [{} for _ in candidates]
        for (candidate, link, _), result in zip(asked, play_all(plans, jobs=self.jobs), strict=True):
            worth = film_worth(result, link, self.rungs_bits_per_s)
            families[candidate].setdefault(family(link.name), []).append(worth)
        return [mean_worth([mean_worth(films) for films in of.values()]) for of in families]

    def _plan(self, candidate: Candidate, link: LoadedLink, seed: int) -> FilmPlan:
        return FilmPlan(
            folder=self.folder,
            scheme=SCHEME,
            rule=candidate.rule,
            estimator="receiver",
            link=link.name,
            opportunities_ms=link.downlink_ms,
            start_ms=start_of_seed_ms(seed, link.downlink_ms[-1]),
            queue_packets=link.choice.queue_packets,
            delay_ms=float(link.choice.delay_ms),
            seed=seed,
            uplink_ms=link.uplink_ms,
            nuwa_constants=candidate.constants,
        )
