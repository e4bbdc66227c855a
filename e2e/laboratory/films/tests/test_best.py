"""What a best film depends on, and that another of it is another best film."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from e2e.laboratory.best_film.film_sizes import FetchingRules, FilmSizes
from e2e.laboratory.best_film.find import BestTask
from e2e.laboratory.films.best import best_key, best_task
from e2e.laboratory.films.messages import About, AboutFilm, Rung
from e2e.laboratory.films.rows import PlayedCell
from e2e.laboratory.films.run import PlannedSeek
from e2e.laboratory.films.tests.test_films import plan_of
from e2e.laboratory.films.tests.test_summaries import film_of

FILM = AboutFilm(2.0, 60.0, [Rung(1e6, [250_000], [2.0])], [], None)
ABOUT = About(["nuwa"], [FILM], 30.0, 4.3)


def task_of(about: About = ABOUT) -> BestTask:
    task = best_task(PlayedCell(plan_of(Path("film")), 1, film_of(1.0), 1e6), about, FILM)
    assert task is not None
    return task


OTHERS: dict[str, Any] = {
    "film": FilmSizes((1e6,), ((250_001,),), (2.0,)),
    "rules": FetchingRules(31.0, 60.0),
    "start_ms": 1,
    "most_ms": 1,
    "delay_ms": 21.0,
    "datagram_bytes": 1200,
    "payload_share": 0.5,
    "opens_ms": 1.0,
    "first_frame_s": 2.0,
    "early_s": 0.5,
    "rebuffer_penalty": 5.0,
    "log_rebuffer_penalty": 5.0,
}


@pytest.mark.parametrize("name", [field.name for field in fields(BestTask) if field.name != "opportunities_ms"])
def test_a_task_that_differs_has_a_key_of_its_own(name: str) -> None:
    task = task_of()
    assert best_key(replace(task, **{name: OTHERS[name]}), "trace") != best_key(task, "trace")


def test_a_trace_is_known_by_its_hash() -> None:
    task = task_of()
    assert best_key(task, "trace") == best_key(replace(task, opportunities_ms=(1, 2)), "trace")
    assert best_key(task, "trace") != best_key(task, "another")


def test_a_player_that_buffers_longer_has_another_best_film() -> None:
    longer = About(["nuwa"], [FILM], 40.0, 4.3)
    assert task_of(longer).rules == FetchingRules(40.0, 60.0)


def test_a_film_with_seeks_has_none() -> None:
    plan = replace(plan_of(Path("film")), seeks=(PlannedSeek(1.0, 2.0),))
    assert best_task(PlayedCell(plan, 1, film_of(1.0), 1e6), ABOUT, FILM) is None
