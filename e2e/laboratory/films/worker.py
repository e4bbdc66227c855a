"""A process of the pool: it keeps one player from film to film."""

from __future__ import annotations

from functools import cache
from multiprocessing.util import Finalize

from e2e.laboratory.films.player_process import PlayerError, PlayerProcess
from e2e.laboratory.films.run import FilmPlan, FilmResult, play_film


def play_in_worker(plan: FilmPlan) -> FilmResult:
    """In the player of this process, which is another one after a failure. Raises what `play_film` raises."""
    try:
        return play_film(plan, _player())
    except PlayerError:
        _player().close()
        _player.cache_clear()
        raise


@cache
def _player() -> PlayerProcess:
    player = PlayerProcess()
    Finalize(player, player.close, exitpriority=1)  # waited for, so that its processor time is counted
    return player
