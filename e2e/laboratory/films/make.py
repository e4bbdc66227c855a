"""Plays what was not played yet, side by side and in no order, and keeps each film as soon as it is over."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from tqdm import tqdm

from e2e.laboratory.films.record import FilmRecord, KeyedFilm, describe_film
from e2e.laboratory.films.run import FilmPlan
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


def make_films(films: Sequence[KeyedFilm], store: RecordStore[FilmRecord], *, jobs: int, output: TextIO) -> int:
    """How many were played; what failed before is tried again. Raises OSError where a film cannot be kept."""
    kept = {film.key: store.read(film.key) for film in films}
    pending = [film for film in films if not _is_played(kept[film.key])]
    took_s = [record.wall_s for record in kept.values() if record is not None and record.results is not None]
    estimate = f", about {describe_time(sum(took_s) / len(took_s) * len(pending) / jobs)}" if took_s else ""
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
        hand_out(pending, desk)
    return len(pending)


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
