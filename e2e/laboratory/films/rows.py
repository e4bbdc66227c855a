"""Films as tables: a row a film, and a row a second; all that was chosen, and every unit in its column's name."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from statistics import fmean

import numpy as np
import polars as pl

from cc.links.link import OVERHEAD_BYTES
from cc.receiver.presets import DEFAULT_PRESET
from e2e.laboratory.best_film.find import BestFilm
from e2e.laboratory.films.columns import FILMS, SECONDS
from e2e.laboratory.films.judgement import UNJUDGED, Judgement
from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.films.seen import FilmResult, Second, estimate_errors
from e2e.laboratory.store.columns import schema

LOG_REBUFFER_PENALTY = 2.66
"""QoE_log of Pensieve (Mao et al., SIGCOMM 2017, table 1): of a second of rebuffering."""


@dataclass(frozen=True, slots=True)
class PlayedCell:
    """One film of one player."""

    plan: FilmPlan
    player: int
    """From 1 on."""
    result: FilmResult
    lowest_bits_per_s: float
    """Of the film's rungs."""
    best: BestFilm | None = None
    """None where `best_task` finds none."""
    judgement: Judgement = UNJUDGED
    run: str = ""
    """Name of the file that holds it."""
    segment_ends_s: tuple[float, ...] = ()
    """Places in the film where its segments end; none where they are not known."""


def films_frame(cells: Sequence[PlayedCell]) -> pl.DataFrame:
    """A row a film, in their order."""
    return pl.DataFrame([_film(cell) for cell in cells], schema=schema(FILMS))


def seconds_frame(cells: Sequence[PlayedCell]) -> pl.DataFrame:
    """A row a second of each film."""
    return pl.DataFrame([row for cell in cells for row in _seconds(cell)], schema=schema(SECONDS))


def qoe_log(bits_per_s: Sequence[float], stalled_s: float, lowest_bits_per_s: float) -> float | None:
    """QoE_log per segment: log of each bitrate over the film's lowest, less stalls and changes; None of nothing."""
    if not bits_per_s:
        return None
    values = [math.log(rate / lowest_bits_per_s) for rate in bits_per_s]
    changes = sum(abs(after - before) for before, after in pairwise(values))
    return (sum(values) - LOG_REBUFFER_PENALTY * stalled_s - changes) / len(values)


def beside_bits_per_s(film: FilmResult) -> float | None:
    """Of the flows beside that are no players, mean; None without any."""
    return fmean(film.beside_bits_per_s) if film.beside_bits_per_s else None


def receiver_error_p90(cell: PlayedCell) -> float | None:
    """Of ten seconds in which the link was in use the receiver's estimate is as far off in one; None where unknown."""
    if cell.plan.estimator == "truth":
        return None
    return _error_p90(cell, [(second.receiver_bits_per_s, second) for second in cell.result.seconds])


def dashjs_error_p90(cell: PlayedCell) -> float | None:
    """The same of dash.js's."""
    return _error_p90(cell, [(second.dashjs_bits_per_s, second) for second in cell.result.seconds])


def _error_p90(cell: PlayedCell, estimates: Sequence[tuple[float | None, Second]]) -> float | None:
    payload = cell.plan.packet_bytes / (cell.plan.packet_bytes + OVERHEAD_BYTES)
    errors = estimate_errors(estimates, payload)
    return float(np.percentile(errors, 90)) if errors else None


def _choices(cell: PlayedCell) -> dict[str, object]:
    plan = cell.plan
    return {
        "run": cell.run,
        "film": plan.folder.name,
        "link": plan.link,
        "scheme": plan.scheme,
        "preset": plan.preset or DEFAULT_PRESET,
        "rule": plan.rule,
        "estimator": plan.estimator,
        "place": plan.place,
        "seed": plan.seed,
        "player": cell.player,
    }


def _film(cell: PlayedCell) -> dict[str, object]:
    plan, result = cell.plan, cell.result
    film = result.played
    rates = [segment.bits_per_second for segment in film.segments]
    return _choices(cell) | {
        "trace_start_ms": plan.start_ms,
        "queue_packets": plan.queue_packets,
        "delay_ms": plan.delay_ms,
        "discipline": plan.discipline,
        "loss_ratio": plan.loss_ratio,
        "flows": ",".join(flow.scheme for flow in plan.flows),
        "has_ended": film.has_ended,
        "startup_s": None if film.startup_ms is None else film.startup_ms / 1000,
        "played_s": film.played_s,
        "stalls": len(film.waits),
        "stalled_s": film.stalled_s,
        "stalled_ratio": film.stalled_s / film.passed_s if film.passed_s > 0 else None,
        "seeks": len(film.viewers_seeks),
        "seek_s": film.seek_s,
        "segments": len(rates),
        "bitrate_mean_bits_per_s": sum(rates) / len(rates) if rates else None,
        "switches": len(film.switches),
        "qoe_per_segment": None if film.qoe is None else film.qoe.per_segment,
        "qoe_log_per_segment": qoe_log(rates, film.stalled_s, cell.lowest_bits_per_s),
        "best_qoe_per_segment": None if cell.best is None else cell.best.linear.per_segment,
        "best_qoe_log_per_segment": None if cell.best is None else cell.best.logarithmic.per_segment,
        **asdict(cell.judgement),
        "queueing_delay_p50_ms": _ms(result.p50_queueing_delay_s),
        "queueing_delay_p95_ms": _ms(result.p95_queueing_delay_s),
        "capacity_bits_per_s": result.capacity_bits_per_s,
        "carried_bits_per_s": result.carried_bits_per_s,
        "lost_ratio": result.lost_ratio,
        "beside_bits_per_s": beside_bits_per_s(result),
        "receiver_error_ratio": None if plan.estimator == "truth" else result.receiver_error_ratio,
        "receiver_error_p90_ratio": receiver_error_p90(cell),
        "dashjs_error_ratio": result.dashjs_error_ratio,
        "dashjs_error_p90_ratio": dashjs_error_p90(cell),
        "stood_s": result.stood_s,
        "host_late_ms": result.host_late_ms,
    }


def _seconds(cell: PlayedCell) -> list[dict[str, object]]:
    choices = _choices(cell)
    return [
        choices
        | {
            "at_s": second.at_s,
            "position_s": second.position_s,
            "buffer_s": second.buffer_s,
            "bitrate_bits_per_s": bits_per_s,
            "capacity_bits_per_s": second.capacity_bits_per_s,
            "carried_bits_per_s": second.carried_bits_per_s,
            "receiver_bits_per_s": second.receiver_bits_per_s,
            "dashjs_bits_per_s": second.dashjs_bits_per_s,
        }
        for second, bits_per_s in zip(cell.result.seconds, _shown_bits_per_s(cell), strict=True)
    ]


def _shown_bits_per_s(cell: PlayedCell) -> Iterator[int | None]:
    """Second by second; None where nothing is shown, or only a picture from before a seek."""
    film = cell.result.played
    starts_ms = [seek.started_at_ms for seek in film.seeks]
    shown = [
        {segment.index: segment.bits_per_second for segment in film.segments if segment.seeks_before <= seeks}
        for seeks in range(len(starts_ms) + 1)
    ]
    for second in cell.result.seconds:
        seeks = bisect_right(starts_ms, 1000 * second.at_s)
        last = film.seeks[seeks - 1] if seeks > 0 else None
        has_come = last is None or (last.has_picture and 1000 * second.at_s >= last.started_at_ms + last.duration_ms)
        yield shown[seeks].get(_segment_at(second.position_s, cell.segment_ends_s)) if has_come else None


def _segment_at(position_s: float, ends_s: Sequence[float]) -> int:
    """Number of the one that is shown; the film's end belongs to the last."""
    return min(bisect_right(ends_s, position_s), len(ends_s) - 1)


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else 1000 * seconds
