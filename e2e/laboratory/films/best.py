"""The best that each film's link, start and first frame allowed: made once for all arms, and kept."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TextIO

from e2e.laboratory.best_film.film_sizes import FetchingRules, FilmSizes
from e2e.laboratory.best_film.find import BestFilm, BestTask, find_best
from e2e.laboratory.films.expand import FilmMatrix
from e2e.laboratory.films.messages import About, AboutFilm
from e2e.laboratory.films.play import PAYLOAD_SHARE
from e2e.laboratory.films.rows import LOG_REBUFFER_PENALTY, PlayedCell
from e2e.laboratory.films.run import HANDSHAKE_ROUND_TRIPS, MOST_S
from e2e.laboratory.runs.progress import Progress
from e2e.laboratory.store.record_store import RecordStore
from e2e.laboratory.store.sources import sources_of_best_films
from models.executors.processes import executor_of, make_processes

FIRST_FRAME_STEP_S = 1.0
"""The best film's first frame comes at the next of these after that of the film that it is compared with."""
NOTHING = FilmSizes((), (), ())


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A best film that is to be there."""

    key: str
    name: str
    """As progress names it."""
    task: BestTask


def with_best(
    cells: Sequence[PlayedCell], matrix: FilmMatrix, directory: Path, *, jobs: int, output: TextIO
) -> list[PlayedCell]:
    """The same, each with the best film of its link and start, where it has the link for itself. Raises OSError."""
    store = RecordStore(directory / "best", BestFilm)
    wanted = [_wanted(cell, matrix) for cell in cells]
    each = {one.key: one for one in wanted if one is not None}
    found = {key: kept for key in each if (kept := store.read(key)) is not None}
    missing = [one for key, one in each.items() if key not in found]
    if missing:
        with (
            executor_of(make_processes, min(jobs, len(missing))) as workers,
            Progress(total=len(each), done=len(found), output=output, unit="best film") as progress,
        ):
            finding = [workers.submit(find_best, one.task) for one in missing]
            for one, future in zip(missing, finding, strict=True):
                progress.begin(one.name)
                found[one.key] = future.result()
                store.write(one.key, found[one.key])
                progress.finish(one.name)
    return [
        cell if one is None else replace(cell, best=found[one.key]) for cell, one in zip(cells, wanted, strict=True)
    ]


def _wanted(cell: PlayedCell, matrix: FilmMatrix) -> _Wanted | None:
    plan = cell.plan
    task = best_task(cell, matrix.known, matrix.about_film(plan.folder))
    if task is None:
        return None
    key = best_key(task, matrix.links[plan.link].downlink_sha256)
    return _Wanted(key, f"{plan.link}, seed {plan.seed}", task)


def best_key(task: BestTask, downlink_sha256: str) -> str:
    """A hash of all that the best film depends on, the trace by its own."""
    short = replace(task, film=NOTHING, opportunities_ms=())  # of thousands of films, these two are long
    named = [asdict(short), _sha256(task.film), downlink_sha256, sources_of_best_films()]
    return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:24]


@cache
def _sha256(film: FilmSizes) -> str:
    return hashlib.sha256(json.dumps(asdict(film)).encode()).hexdigest()


def best_task(cell: PlayedCell, about: About, film: AboutFilm) -> BestTask | None:
    """None where the link was shared, the viewer seeks, the film did not end, or rungs are cut at different places."""
    plan, played = cell.plan, cell.result.played
    sizes = film_sizes(film)
    is_shared = len(plan.flows) > 1 or len(plan.beside) > 0
    if sizes is None or is_shared or plan.seeks or not played.has_ended or played.startup_ms is None:
        return None
    return BestTask(
        film=sizes,
        rules=FetchingRules(about.buffer_seconds, film.top_buffer_seconds),
        opportunities_ms=plan.opportunities_ms,
        start_ms=plan.start_ms,
        most_ms=round(1000 * MOST_S),
        delay_ms=plan.delay_ms,
        datagram_bytes=plan.packet_bytes,
        payload_share=PAYLOAD_SHARE,
        opens_ms=2 * plan.delay_ms * HANDSHAKE_ROUND_TRIPS,
        first_frame_s=FIRST_FRAME_STEP_S * math.ceil(played.startup_ms / 1000 / FIRST_FRAME_STEP_S),
        early_s=FIRST_FRAME_STEP_S,
        rebuffer_penalty=about.rebuffer_penalty,
        log_rebuffer_penalty=LOG_REBUFFER_PENALTY,
    )


def film_sizes(film: AboutFilm) -> FilmSizes | None:
    """None where rungs are cut at different places."""
    ends_s = {tuple(rung.segment_ends_seconds) for rung in film.rungs}
    if len(ends_s) != 1:
        return None
    return FilmSizes(
        bits_per_s=tuple(rung.bits_per_second for rung in film.rungs),
        segment_bytes=tuple(tuple(rung.segment_bytes) for rung in film.rungs),
        ends_s=ends_s.pop(),
    )
