"""A process of the pool: it keeps its players from film to film."""

from __future__ import annotations

import time
from functools import cache
from multiprocessing.util import Finalize

from cc.simulation.checked_scheme import SchemeError
from cc.simulation.request import RequestError
from e2e.laboratory.films.player_process import PlayerError, PlayerProcess
from e2e.laboratory.films.record import FilmRecord
from e2e.laboratory.films.run import FilmPlan, play_films
from e2e.laboratory.films.seen import FilmResult

ATTEMPTS = 2


def attempt_film(plan: FilmPlan) -> FilmRecord:
    """What became of it; one that fails is tried once more."""
    began_s = time.monotonic()
    failure = ""
    for _ in range(ATTEMPTS):
        try:
            return FilmRecord(tuple(_play(plan)), None, time.monotonic() - began_s)
        except (PlayerError, SchemeError, RequestError, OSError) as error:
            failure = str(error)
    return FilmRecord(None, failure, time.monotonic() - began_s)


def _play(plan: FilmPlan) -> list[FilmResult]:
    """After a player's failure the next film has another one."""
    players = [_player(number) for number in range(plan.players)]
    try:
        return play_films(plan, players)
    except PlayerError:
        for player in players:
            player.close()
        _player.cache_clear()
        raise


@cache
def _player(number: int) -> PlayerProcess:
    player = PlayerProcess()
    Finalize(player, player.close, exitpriority=number)  # waited for, so that its processor time is counted
    return player
