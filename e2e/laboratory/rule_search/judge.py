"""Plays candidates' films over links, the same starts for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.films.make import play_all
from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.matrix.links import family
from e2e.laboratory.matrix.trace_window import start_of_seed_ms
from e2e.laboratory.rule_search.worth import FilmWorth, film_worth, mean_worth

SCHEME = "kuafu"
"""The page's."""


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
