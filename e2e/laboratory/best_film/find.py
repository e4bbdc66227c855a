"""The best film by both measures, of a task that can be sent to another process."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from e2e.laboratory.best_film.film_sizes import FetchingRules, FilmSizes, Worth
from e2e.laboratory.best_film.known_link import KnownLink
from e2e.laboratory.best_film.plan import Task, best_plan
from e2e.laboratory.matrix.trace_window import trace_from_ms


@dataclass(frozen=True, slots=True)
class BestTask:
    """A film, a link and a first frame: all that the best film depends on."""

    film: FilmSizes
    rules: FetchingRules
    opportunities_ms: Sequence[int]
    """Of the link's trace, which repeats."""
    start_ms: int
    """Where in the trace the film begins."""
    most_ms: int
    """Of the trace, that is looked at."""
    delay_ms: float
    """Each way."""
    datagram_bytes: int
    payload_share: float
    """Of a datagram's UDP payload: a file's bytes."""
    opens_ms: float
    """When the first segment may be asked for."""
    first_frame_s: float
    early_s: float
    """By how much the first frame of the films that are compared with it may come earlier."""
    rebuffer_penalty: float
    """QoE_lin's, of a second of rebuffering."""
    log_rebuffer_penalty: float
    """QoE_log's."""


@dataclass(frozen=True, slots=True)
class BestQoe:
    """What no film over this link could exceed, and one that comes near to it."""

    per_segment: float
    """Never exceeded by a film whose first frame came in the second before the best film's."""
    near_per_segment: float
    """Of a plan that could be played; so are the parts below."""
    quality_per_segment: float
    changes_per_segment: float
    stalled_s: float


@dataclass(frozen=True, slots=True)
class BestFilm:
    """By QoE_lin and by QoE_log."""

    linear: BestQoe
    logarithmic: BestQoe


def find_best(task: BestTask) -> BestFilm:
    """By both measures."""
    rates = task.film.bits_per_s
    linear = Worth(tuple(rate / 1e6 for rate in rates), task.rebuffer_penalty)
    logarithmic = Worth(tuple(math.log(rate / rates[0]) for rate in rates), task.log_rebuffer_penalty)
    return BestFilm(_best(task, linear), _best(task, logarithmic))


def _best(task: BestTask, worth: Worth) -> BestQoe:
    segments = task.film.segments
    trace_ms = trace_from_ms(task.opportunities_ms, from_ms=task.start_ms, length_ms=task.most_ms)
    link = KnownLink(
        trace_ms, delay_ms=task.delay_ms, datagram_bytes=task.datagram_bytes, payload_share=task.payload_share
    )
    first_frame_ms, early_ms = 1000 * task.first_frame_s, 1000 * task.early_s
    best = best_plan(Task(task.film, link, task.rules, worth, task.opens_ms, first_frame_ms, early_ms))
    near = best.plan
    return BestQoe(
        per_segment=best.bound / segments,
        near_per_segment=near.worth / segments,
        quality_per_segment=near.quality / segments,
        changes_per_segment=near.changes / segments,
        stalled_s=near.stalled_s,
    )
