"""One film over one link, from its choices to what a viewer met."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from cc.core.decision import Decide
from cc.links.queueing.registry import DROPTAIL
from cc.simulation.downloads import Downloads
from cc.simulation.request import prepare_run
from cc.simulation.way_back import WayBack
from e2e.laboratory.films.messages import AskedSeek, Open, PlayerEstimator
from e2e.laboratory.films.play import Viewer, play
from e2e.laboratory.films.player_process import PlayerProcess
from e2e.laboratory.films.seen import FilmResult, film_result
from e2e.laboratory.films.truth import KnownLink
from e2e.laboratory.matrix.trace_window import trace_from_ms
from e2e.laboratory.request import SELF, FlowTemplate
from models.policies.find import find_policy

Estimator = PlayerEstimator | Literal["truth"]
"""`truth`: what the link will carry, in the place of the receiver's bandwidth."""
ESTIMATORS: tuple[Estimator, ...] = (*get_args(PlayerEstimator), "truth")
FilmPlace = Literal["simulation", "browser", "browser-mahimahi"]
"""Virtual time, or a real browser: over the relay, or under mahimahi."""
PLACES: tuple[FilmPlace, ...] = get_args(FilmPlace)
HANDSHAKE_ROUND_TRIPS = 2
"""QUIC's, and the session's."""
MOST_S = 1200.0
"""A film that takes longer ends where it is."""


@dataclass(frozen=True, slots=True)
class PlannedSeek:
    """A viewer goes to another place of the film."""

    after_s: float
    """Since the first frame, whatever was stalled meanwhile."""
    to_s: float
    """In the film."""


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
    queue_packets: int | None
    """None is no limit."""
    delay_ms: float
    """Each way."""
    preset: str | None = None
    seed: int = 1
    discipline: str = DROPTAIL
    packet_bytes: int = 1350
    """Full packets, UDP payload."""
    loss_ratio: float = 0.0
    """Behind the queue."""
    flows: tuple[FlowTemplate, ...] = (FlowTemplate(SELF, None),)
    """Of the link; each `self` is a player with this scheme, rule and estimator, each other one a download."""
    beside: tuple[Mapping[str, object], ...] = ()
    """More flows of the link, as `cc.simulation.request` reads them."""
    place: FilmPlace = "simulation"
    uplink_ms: Sequence[int] = ()
    """Of the link: acknowledgements, feedback and requests wait for it; without any they are only delayed."""
    film_s: float = 0.0
    """The film's length, by which a browser's cell is timed."""
    nuwa_constants: Mapping[str, float] = field(default_factory=dict)
    """Of NuwaRule, in virtual time, by their names in the page; those that are not named are as chosen."""
    seeks: tuple[PlannedSeek, ...] = ()
    """Of every viewer, in virtual time, by time."""

    @property
    def players(self) -> int:
        """Films side by side on the link."""
        return sum(flow.scheme == SELF for flow in self.flows)

    @property
    def names(self) -> tuple[str, str, str, str]:
        """What tells arms apart: link (another one where a browser plays over it), scheme, rule and estimator."""
        return (
            self.link if self.place == "simulation" else f"{self.link} ({self.place})",
            self.scheme if self.preset is None else f"{self.scheme}:{self.preset}",
            self.rule,
            self.estimator,
        )


def play_film(plan: FilmPlan, process: PlayerProcess) -> FilmResult:
    """In a player that may have played before. Raises PlayerError, SchemeError and what `prepare_run` raises."""
    [result] = play_films(plan, [process])
    return result


def play_films(plan: FilmPlan, processes: Sequence[PlayerProcess]) -> list[FilmResult]:
    """Each player of the plan in a process of its own. Raises as `play_film`."""
    delay_s = plan.delay_ms / 1000
    length_ms = round(1000 * MOST_S)
    opportunities_ms = trace_from_ms(plan.opportunities_ms, from_ms=plan.start_ms, length_ms=length_ms)
    uplink_ms = trace_from_ms(plan.uplink_ms, from_ms=plan.start_ms, length_ms=length_ms) if plan.uplink_ms else None
    way_back = WayBack(delay_s, opportunities_ms=uplink_ms)
    request = {
        "seed": plan.seed,
        "duration_s": MOST_S,
        "packet_bytes": plan.packet_bytes,
        "link": {
            "opportunities_ms": opportunities_ms,
            "return_opportunities_ms": uplink_ms,
            "queue": {"packets": plan.queue_packets, "discipline": plan.discipline},
            "delay_ms": plan.delay_ms,
            "return_delay_ms": plan.delay_ms,
            "loss_ratio": plan.loss_ratio,
        },
        "flows": [*(_flow(template, plan) for template in plan.flows), *plan.beside],
    }
    network = prepare_run(request, random.Random, _find_policy).network
    players = [flow for flow in network.flows if isinstance(flow.plan.source, Downloads)]
    opens_at_ms = 2 * plan.delay_ms * HANDSHAKE_ROUND_TRIPS
    known, estimator = None, plan.estimator
    if estimator == "truth":
        link = KnownLink(opportunities_ms, datagram_bytes=players[0].plan.scheme.max_datagram_bytes)
        known, estimator = link.bits_per_s, "receiver"
    seeks = tuple(AskedSeek(seek.after_s, seek.to_s) for seek in plan.seeks)
    viewers = []
    for flow, process in zip(players, processes, strict=True):
        process.open(Open(str(plan.folder), plan.rule, estimator, opens_at_ms, plan.nuwa_constants, seeks))
        assert isinstance(flow.plan.source, Downloads)
        viewers.append(Viewer(process, flow, flow.plan.source, way_back, known))
    played = play(network, viewers, most_s=MOST_S)
    return [film_result(network, viewer, film) for viewer, film in zip(viewers, played, strict=True)]


def _flow(template: FlowTemplate, plan: FilmPlan) -> dict[str, object]:
    if template.scheme == SELF:
        return {"scheme": plan.scheme, "preset": plan.preset, "source": {"kind": "downloads"}}
    times = {"start_s": template.start_s, "stop_s": template.stop_s}
    return {"scheme": template.scheme, "preset": template.preset, **times}


def _find_policy(name: str) -> Decide:
    return find_policy(name)
