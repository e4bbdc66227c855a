"""The best that each film's link, start and first frame allowed: made once for all arms, and kept."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from e2e.laboratory.best_film.film_sizes import FetchingRules, FilmSizes, Worth
from e2e.laboratory.best_film.known_link import KnownLink
from e2e.laboratory.best_film.plan import Task, best_plan
from e2e.laboratory.films.expand import FilmMatrix
from e2e.laboratory.films.messages import About, AboutFilm
from e2e.laboratory.films.play import PAYLOAD_SHARE
from e2e.laboratory.films.record import film_sha256
from e2e.laboratory.films.rows import LOG_REBUFFER_PENALTY, BestFilm, BestQoe, PlayedCell
from e2e.laboratory.films.run import HANDSHAKE_ROUND_TRIPS, MOST_S, FilmPlan
from e2e.laboratory.matrix.trace_window import trace_from_ms
from e2e.laboratory.runs.progress import Progress
from e2e.laboratory.store.record_store import RecordStore
from e2e.laboratory.store.sources import sources_of_best_films
from models.executors.processes import executor_of, make_processes

FIRST_FRAME_STEP_S = 1.0
"""The best film's first frame comes at the next of these after that of the film that it is compared with."""


@dataclass(frozen=True, slots=True)
class BestTask:
    """What a process of the pool is to find."""

    key: str
    plan: FilmPlan
    film: FilmSizes
    rules: FetchingRules
    rebuffer_penalty: float
    first_frame_s: float


def with_best(
    cells: Sequence[PlayedCell], matrix: FilmMatrix, directory: Path, *, jobs: int, output: TextIO
) -> list[PlayedCell]:
    """The same, each with the best film of its link and start, where it has the link for itself. Raises OSError."""
    store = RecordStore(directory / "best", BestFilm)
    tasks = [_task(cell, matrix) for cell in cells]
    wanted = {task.key: task for task in tasks if task is not None}
    found = {key: kept for key in wanted if (kept := store.read(key)) is not None}
    missing = [task for key, task in wanted.items() if key not in found]
    if missing:
        with (
            executor_of(make_processes, min(jobs, len(missing))) as workers,
            Progress(total=len(wanted), done=len(found), output=output, unit="best film") as progress,
        ):
            finding = [workers.submit(find_best, task) for task in missing]
            for task, future in zip(missing, finding, strict=True):
                name = f"{task.plan.link}, seed {task.plan.seed}"
                progress.begin(name)
                found[task.key] = future.result()
                store.write(task.key, found[task.key])
                progress.finish(name)
    return [
        cell if task is None else replace(cell, best=found[task.key]) for cell, task in zip(cells, tasks, strict=True)
    ]


def find_best(task: BestTask) -> BestFilm:
    """By both measures."""
    lowest = task.film.bits_per_s[0]
    linear = Worth(tuple(rate / 1e6 for rate in task.film.bits_per_s), task.rebuffer_penalty)
    logarithmic = Worth(tuple(math.log(rate / lowest) for rate in task.film.bits_per_s), LOG_REBUFFER_PENALTY)
    return BestFilm(_best(task, linear), _best(task, logarithmic))


def _best(task: BestTask, worth: Worth) -> BestQoe:
    plan, segments = task.plan, task.film.segments
    trace_ms = trace_from_ms(plan.opportunities_ms, from_ms=plan.start_ms, length_ms=round(1000 * MOST_S))
    link = KnownLink(trace_ms, delay_ms=plan.delay_ms, datagram_bytes=plan.packet_bytes, payload_share=PAYLOAD_SHARE)
    opens_ms = 2 * plan.delay_ms * HANDSHAKE_ROUND_TRIPS
    best = best_plan(
        Task(task.film, link, task.rules, worth, opens_ms, 1000 * task.first_frame_s, 1000 * FIRST_FRAME_STEP_S)
    )
    near = best.plan
    return BestQoe(
        per_segment=best.bound / segments,
        near_per_segment=near.worth / segments,
        quality_per_segment=near.quality / segments,
        changes_per_segment=near.changes / segments,
        stalled_s=near.stalled_s,
    )


def _task(cell: PlayedCell, matrix: FilmMatrix) -> BestTask | None:
    plan, played = cell.plan, cell.result.played
    about = matrix.known
    sizes = film_sizes(matrix.about_film(plan.folder))
    if sizes is None or len(plan.flows) > 1 or plan.beside or not played.has_ended or played.startup_ms is None:
        return None
    first_frame_s = FIRST_FRAME_STEP_S * math.ceil(played.startup_ms / 1000 / FIRST_FRAME_STEP_S)
    rules = fetching_rules(about, plan.buffer_target_s)
    named = [
        film_sha256(plan.folder),
        matrix.links[plan.link].downlink_sha256,
        plan.start_ms,
        plan.delay_ms,
        plan.packet_bytes,
        plan.buffer_target_s,
        first_frame_s,
        FIRST_FRAME_STEP_S,
        sources_of_best_films(),
    ]
    key = hashlib.sha256(json.dumps(named).encode()).hexdigest()[:24]
    return BestTask(key, plan, sizes, rules, about.rebuffer_penalty, first_frame_s)


def fetching_rules(about: About, buffer_target_s: float | None) -> FetchingRules:
    """The player's own, or those of a chosen target."""
    if buffer_target_s is not None:
        return FetchingRules(buffer_target_s, buffer_target_s)
    return FetchingRules(about.buffer_seconds, about.top_buffer_seconds)


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
