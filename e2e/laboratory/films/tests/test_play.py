"""What a film's choices do to its network, by a player that asks for what a test says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from e2e.laboratory.films.messages import (
    Arrival,
    AskedSeek,
    Cancel,
    Estimate,
    Open,
    PlayedFilm,
    PlayerNeed,
    Request,
    Step,
    StepAnswer,
)
from e2e.laboratory.films.player_process import PlayerProcess
from e2e.laboratory.films.run import FilmPlan, PlannedSeek, play_film
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.request import SELF, FlowTemplate, LinkChoice

OVER_S = 3.0
ASKED_BYTES = 10_000_000
"""More than comes in that time."""


class ScriptedPlayer(PlayerProcess):
    """Asks for one thing at once, which it may cancel, and leaves after `OVER_S`."""

    def __init__(self, *, cancels_at_s: float | None = None, need: PlayerNeed | None = None) -> None:
        self.opened: list[Open] = []
        self.steps: list[Step] = []
        self._cancels_at_s = cancels_at_s
        self._need = need

    def open(self, choices: Open) -> None:
        self.opened.append(choices)

    def step(self, step: Step) -> StepAnswer:
        is_first = not self.steps
        self.steps.append(step)
        cancels = []
        if self._cancels_at_s is not None and step.until_ms >= 1000 * self._cancels_at_s:
            self._cancels_at_s = None
            cancels.append(Cancel(1, step.until_ms))
        requests = [Request(1, ASKED_BYTES, step.until_ms)] if is_first else []
        need = self._need if is_first else None
        return StepAnswer(step.until_ms, requests, cancels, need, step.until_ms >= 1000 * OVER_S)

    def played(self) -> PlayedFilm:
        return PlayedFilm(None, None, 0.0, False, [], None, [], [])

    @property
    def arrivals(self) -> list[Arrival]:
        """All that it was told of."""
        return [arrival for step in self.steps for arrival in step.arrivals]

    @property
    def estimates(self) -> list[Estimate]:
        """All that it was told."""
        return [estimate for step in self.steps for estimate in step.estimates]


def plan(**changes: object) -> FilmPlan:
    """Nuwa over 8 Mbit/s and 40 ms."""
    loaded = load_link(LinkChoice("8mbit", 20, 100, "droptail", 0.0))
    usual = FilmPlan(
        folder=Path("film"),
        scheme="nuwa",
        rule="nuwa",
        estimator="receiver",
        link="8mbit",
        opportunities_ms=loaded.downlink_ms,
        start_ms=0,
        queue_packets=100,
        delay_ms=20.0,
    )
    return replace(usual, **changes)  # type: ignore[arg-type]


def seen(player: ScriptedPlayer | None = None, **changes: object) -> FilmResult:
    """By a player, of a plan that differs in this."""
    return play_film(plan(**changes), player or ScriptedPlayer())


def test_a_player_is_opened_with_its_rule_and_settings() -> None:
    player = ScriptedPlayer()
    constants: Mapping[str, float] = {"horizonSegments": 3}
    seen(player, rule="bola", estimator="dashjs", nuwa_constants=constants, seeks=(PlannedSeek(2.0, 8.0),))
    seeks = (AskedSeek(2.0, 8.0),)
    assert player.opened == [Open("film", "bola", "dashjs", 80.0, constants, seeks)]  # two round trips


def test_a_link_that_loses_packets_loses_them_and_as_the_seed_says() -> None:
    assert seen().lost_ratio == 0
    lossy = {seed: seen(loss_ratio=0.05, seed=seed).lost_ratio for seed in (1, 2)}
    assert all(lost is not None and 0.02 < lost < 0.1 for lost in lossy.values())
    assert lossy[1] != lossy[2]


def test_a_scheme_has_the_preset_of_the_plan() -> None:
    on_demand, live = seen().p50_queueing_delay_s, seen(preset="live").p50_queueing_delay_s
    assert on_demand is not None
    assert live is not None
    assert live < 0.7 * on_demand


@pytest.mark.parametrize(("start_s", "stop_s"), [(0.0, 1.0), (2.0, None)])
def test_a_flow_beside_a_film_starts_and_stops_when_it_is_to(start_s: float, stop_s: float | None) -> None:
    def beside_bits_per_s(flow: FlowTemplate) -> float:
        [found] = seen(flows=(FlowTemplate(SELF, None), flow)).beside_bits_per_s
        return found

    whole = beside_bits_per_s(FlowTemplate("newreno", None))
    assert 0 < beside_bits_per_s(FlowTemplate("newreno", None, start_s=start_s, stop_s=stop_s)) < 0.6 * whole


def test_segments_beside_a_film_are_timed_without_their_pauses_and_other_flows_are_not() -> None:
    def beside_segment_s(source: Mapping[str, object]) -> float | None:
        [found] = seen(beside=({"scheme": "newreno", "source": source},)).beside_segment_s
        return found

    took_s = {pause_s: beside_segment_s({"kind": "on-off", "on_bytes": 5000, "off_s": pause_s}) for pause_s in (1, 2)}
    assert all(each_s is not None and 0 < each_s < 1 for each_s in took_s.values())
    assert beside_segment_s({"kind": "bulk"}) is None


def test_a_cancelled_request_is_sent_no_further() -> None:
    whole, cancelled = seen(), seen(ScriptedPlayer(cancels_at_s=OVER_S / 3))
    assert cancelled.carried_bits_per_s < 0.5 * whole.carried_bits_per_s


def test_a_player_has_its_receiver_know_its_need() -> None:
    without, with_need = ScriptedPlayer(), ScriptedPlayer(need=PlayerNeed(125_000, 20.0, 20.0))
    free, bound = seen(without, preset="film"), seen(with_need, preset="film")
    assert without.estimates[-1].wanted_bits_per_second is None
    assert with_need.estimates[-1].wanted_bits_per_second is not None
    assert bound.carried_bits_per_s < 0.7 * free.carried_bits_per_s


def gaps(values: Sequence[float]) -> list[float]:
    """Between neighbours."""
    return [later - earlier for earlier, later in pairwise(values)]


def test_progress_and_estimates_come_as_the_pages_worker_tells_them() -> None:
    player = ScriptedPlayer()
    seen(player)
    assert len(player.arrivals) > 30
    assert min(gaps([arrival.at_ms for arrival in player.arrivals])) >= 50
    assert min(gaps([arrival.loaded_bytes for arrival in player.arrivals])) > 0
    assert player.estimates[-1].bandwidth_bits_per_second == pytest.approx(7.8e6, rel=0.05)
    gaps_ms = gaps([estimate.at_ms for estimate in player.estimates[1:]])  # the first comes before anything is asked
    assert 99.9 <= min(gaps_ms) <= max(gaps_ms) <= 120.1
