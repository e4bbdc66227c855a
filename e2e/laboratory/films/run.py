"""One film over one link, from its choices to what a viewer met."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from cc.core.decision import Decide
from cc.simulation.downloads import Downloads
from cc.simulation.request import prepare_run
from e2e.laboratory.films.messages import Open, PlayedFilm, PlayerEstimator
from e2e.laboratory.films.play import Viewer, play
from e2e.laboratory.films.player_process import PlayerProcess
from e2e.laboratory.films.truth import KnownLink
from e2e.laboratory.matrix.trace_window import trace_from_ms
from models.policies.find import find_policy

Estimator = PlayerEstimator | Literal["truth"]
"""`truth`: what the link will carry, in the place of the receiver's bandwidth."""
ESTIMATORS: tuple[Estimator, ...] = (*get_args(PlayerEstimator), "truth")
HANDSHAKE_ROUND_TRIPS = 2
"""QUIC's, and the session's."""
MOST_S = 1200.0
"""A film that takes longer ends where it is."""


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """Who adapts what, by whose estimate, over which link."""

    folder: Path
    """Of the packaged film."""
    scheme: str
    rule: str
    estimator: Estimator
    link: str
    opportunities_ms: Sequence[int]
    start_ms: int
    """Where in the link's trace the film begins."""
    queue_packets: int
    delay_ms: float
    """Each way."""
    preset: str | None = None
    buffer_target_s: float | None = None
    seed: int = 1
    beside: tuple[Mapping[str, object], ...] = ()
    """Other flows of the link, as `cc.simulation.request` reads them."""

    @property
    def names(self) -> tuple[str, str, str, str]:
        """What tells arms apart: link, scheme, rule and estimator."""
        return (
            self.link,
            self.scheme if self.preset is None else f"{self.scheme}:{self.preset}",
            self.rule,
            self.estimator,
        )


@dataclass(frozen=True, slots=True)
class FilmResult:
    """What a viewer met, and what the link saw of it."""

    played: PlayedFilm
    p95_queueing_delay_s: float | None
    """None if nothing left the queue."""
    beside_bits_per_s: tuple[float, ...] = ()
    """What arrived of the flows beside it, until the film's end."""


def play_film(plan: FilmPlan, process: PlayerProcess) -> FilmResult:
    """In a player that may have played before. Raises PlayerError, SchemeError and what `prepare_run` raises."""
    delay_s = plan.delay_ms / 1000
    opportunities_ms = trace_from_ms(plan.opportunities_ms, from_ms=plan.start_ms, length_ms=round(1000 * MOST_S))
    request = {
        "seed": plan.seed,
        "duration_s": MOST_S,
        "link": {
            "opportunities_ms": opportunities_ms,
            "queue": {"packets": plan.queue_packets},
            "delay_ms": plan.delay_ms,
            "return_delay_ms": plan.delay_ms,
        },
        "flows": [{"scheme": plan.scheme, "preset": plan.preset, "source": {"kind": "downloads"}}, *plan.beside],
    }
    network = prepare_run(request, random.Random, _find_policy).network
    flow, *others = network.flows
    source = flow.plan.source
    assert isinstance(source, Downloads)
    opens_at_ms = 2 * plan.delay_ms * HANDSHAKE_ROUND_TRIPS
    known, estimator = None, plan.estimator
    if estimator == "truth":
        link = KnownLink(opportunities_ms, datagram_bytes=flow.plan.scheme.max_datagram_bytes)
        known, estimator = link.bits_per_s, "nuwa"
    process.open(Open(str(plan.folder), plan.rule, estimator, plan.buffer_target_s, opens_at_ms))
    [played] = play(network, [Viewer(process, flow, source, delay_s, known)], most_s=MOST_S)
    delays = flow.record.delays(0.0, network.now_s)
    beside = tuple(8 * other.goodput_bytes(network.now_s) / network.now_s for other in others)
    return FilmResult(played, None if delays is None else delays.p95_s, beside)


def _find_policy(name: str) -> Decide:
    return find_policy(name)
