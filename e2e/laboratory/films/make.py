"""Plays what was not played yet, side by side and in no order, and keeps each film as soon as it is over."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TextIO

from tqdm import tqdm

from e2e.laboratory.films.in_browser.attempt import BROWSER_OVERHEAD_S, attempt_in_browser
from e2e.laboratory.films.record import FilmRecord, KeyedFilm, describe_film
from e2e.laboratory.films.run import PLACES, FilmPlan
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.films.worker import attempt_film
from e2e.laboratory.runs.hand_out import Desk, hand_out
from e2e.laboratory.runs.progress import Progress, describe_time
from e2e.laboratory.store.record_store import RecordStore
from models.executors.processes import executor_of, make_processes

DIED = "the film's process ended early; did it run out of memory?"


def open_store(directory: Path) -> RecordStore[FilmRecord]:
    """Raises OSError."""
    return RecordStore(directory / "films", FilmRecord)


def make_films(
    films: Sequence[KeyedFilm],
    store: RecordStore[FilmRecord],
    *,
    jobs: int,
    output: TextIO,
    bundles: Path | None = None,
) -> int:
    """How many were played, first those in virtual time; what failed before is tried again.

    Browsers leave a folder for each of their films in `bundles`. Raises OSError where a film cannot be kept.
    """
    kept = {film.key: store.read(film.key) for film in films}
    pending = [film for film in films if not _is_played(kept[film.key])]
    estimated_s = estimate_s(films, kept, jobs)
    estimate = "" if estimated_s is None else f", about {describe_time(estimated_s)}"
    output.write(f"{len(films)} films, {len(films) - len(pending)} of them there{estimate if pending else ''}\n")
    if not pending:
        return 0
    random.Random(len(pending)).shuffle(pending)  # what changes while they are played strikes all arms alike
    with Progress(total=len(films), done=len(films) - len(pending), output=output, unit="film") as progress:

        def keep(film: KeyedFilm, record: FilmRecord) -> None:
            store.write(film.key, record)
            if record.failure is not None:
                progress.say(f"failed: {describe_film(film.plan)}: {record.failure}")
            progress.finish(describe_film(film.plan))

        desk = Desk(
            make_processes,
            jobs,
            submit=lambda executor, film: executor.submit(attempt_film, film.plan),
            begin=lambda film: progress.begin(describe_film(film.plan)),
            drop=lambda film: progress.drop(describe_film(film.plan)),
            keep=keep,
            lose=lambda film: keep(film, FilmRecord(None, DIED, 0.0)),
        )
        hand_out([film for film in pending if film.plan.place == "simulation"], desk)
        for film in pending:
            if film.plan.place != "simulation":
                assert bundles is not None, "a browser's film leaves a bundle"
                progress.begin(describe_film(film.plan))
                keep(film, attempt_in_browser(film.plan, bundles / film.key))
    return len(pending)


def estimate_s(films: Sequence[KeyedFilm], kept: Mapping[str, FilmRecord | None], jobs: int) -> float | None:
    """What the films that are missing will take, by those that are there; None where nothing is known."""
    total_s = 0.0
    for place in PLACES:
        records = {film.key: kept[film.key] for film in films if film.plan.place == place}
        missing = [film.plan for film in films if film.key in records and not _is_played(records[film.key])]
        took_s = [record.wall_s for record in records.values() if record is not None and record.results is not None]
        if not missing:
            continue
        if took_s:
            total_s += fmean(took_s) * len(missing) / (jobs if place == "simulation" else 1)
        elif place == "simulation":
            if len(missing) == len(films):
                return None
        else:
            total_s += sum(plan.film_s + BROWSER_OVERHEAD_S for plan in missing)
    return total_s


def _is_played(record: FilmRecord | None) -> bool:
    return record is not None and record.results is not None


class FilmFailure(Exception):
    """A film that broke off; the message says which and why."""


def play_all(plans: Sequence[FilmPlan], *, jobs: int) -> list[FilmResult]:
    """That of each plan's first player, in the order of the plans; nothing is kept. Raises FilmFailure."""
    results = []
    with executor_of(make_processes, min(jobs, len(plans))) as workers:
        playing = [workers.submit(attempt_film, plan) for plan in plans]
        shown = tqdm(zip(plans, playing, strict=True), total=len(plans), unit="film", disable=None)
        for plan, future in shown:
            record = future.result()
            if record.results is None:
                raise FilmFailure(f"{describe_film(plan)}: {record.failure}")
            results.append(record.results[0])
    return results
