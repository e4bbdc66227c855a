"""A cell's bundle in the terms of films: what the viewer met, and what the link saw of it.

A stall for want of data is kept apart from one for want of a processor, which a film in virtual time cannot have.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import msgspec
import polars as pl

from cc.links.link import OVERHEAD_BYTES
from e2e.laboratory.films.messages import PlayedFilm, Qoe, Sample, Segment, Switch, Wait
from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.films.seen import FilmResult, Second, estimate_error, mean_told
from e2e.laboratory.places.cell_bundle import Metrics, Stall, read_cell_bundle, read_cell_log
from e2e.laboratory.places.link_log import LinkLog
from e2e.laboratory.places.log_span import LogSpan
from e2e.laboratory.places.watched_child import CellError
from e2e.laboratory.plan import INTERVAL_S

DATA_AHEAD_S = 0.5
"""With as much of the film ahead nothing waits for data: the decoder had no processor."""
BINS_A_SECOND = round(1 / INTERVAL_S)


class _Switch(msgspec.Struct, frozen=True, rename="camel"):
    at_ms: float
    to_bits_per_second: int
    rule: str


def film_of_bundle(plan: FilmPlan, folder: Path) -> FilmResult:
    """From the page's opening to the film's end. Raises CellError for a film without an end, and LinkLogError."""
    metrics = read_cell_bundle(folder).metrics
    zero_ms = metrics.window.from_ms
    playback = _table(folder / "playback.csv")
    ended = playback.filter(pl.col("isEnded"))
    if ended.is_empty():
        last_s = float(playback["mediaSeconds"][-1])
        raise CellError(f"the film stood at {last_s:.1f} s of {plan.film_s:.1f} s at the end")
    end_s = (float(ended["atMs"][0]) - zero_ms) / 1000
    estimates = _table(folder / "estimates.csv")
    samples = _samples(playback, estimates, zero_ms, end_s)
    played = _played(metrics, samples, folder)
    log = read_cell_log(folder)
    seconds = _seconds(log, samples, _told(estimates, zero_ms), zero_ms, end_s)
    payload = plan.packet_bytes / (plan.packet_bytes + OVERHEAD_BYTES)
    link = LogSpan(zero_ms / 1000, end_s, 1).link_result(log)
    left = len(log.departures.at_ms)
    delays = link.queueing_delay
    stood_s = sum(stall.seconds for stall in metrics.playback.stalls if not _waits_for_data(stall))
    return FilmResult(
        played,
        p95_queueing_delay_s=None if delays is None else delays.p95_ms / 1000,
        p50_queueing_delay_s=None if delays is None else delays.p50_ms / 1000,
        capacity_bits_per_s=link.capacity_bits_per_s,
        carried_bits_per_s=link.throughput_bits_per_s,
        lost_ratio=(link.dropped or 0) / max(1, (link.dropped or 0) + left) if plan.loss_ratio == 0 else None,
        seconds=seconds,
        receiver_error_ratio=estimate_error([(second.receiver_bits_per_s, second) for second in seconds], payload),
        receiver_mean_error_ratio=estimate_error(
            [(second.receiver_mean_bits_per_s, second) for second in seconds], payload
        ),
        dashjs_error_ratio=estimate_error([(second.dashjs_bits_per_s, second) for second in seconds], payload),
        stood_s=stood_s,
        host_late_ms=None if metrics.host_lateness is None else metrics.host_lateness.median_ms,
    )


def _table(file: Path) -> pl.DataFrame:
    """Types are those of all rows: a page that waits leaves many whole zeros first."""
    return pl.read_csv(file, infer_schema_length=None)


def _waits_for_data(stall: Stall) -> bool:
    return stall.least_buffer_seconds < DATA_AHEAD_S


def _played(metrics: Metrics, samples: list[Sample], folder: Path) -> PlayedFilm:
    zero_ms, playback = metrics.window.from_ms, metrics.playback
    switches = msgspec.json.decode((folder / "switches.json").read_bytes(), type=list[_Switch])
    shown = _table(folder / "segments.csv").filter(pl.col("isShown")).sort("index")
    return PlayedFilm(
        error=None,
        startup_ms=None if playback.startup_seconds is None else 1000 * playback.startup_seconds,
        position_seconds=samples[-1].position_seconds,
        has_ended=True,
        waits=[
            Wait(stall.started_at_ms - zero_ms, 1000 * stall.seconds)
            for stall in playback.stalls
            if _waits_for_data(stall)
        ],
        qoe=_qoe(metrics),
        segments=[
            Segment(
                row["index"],
                row["bitsPerSecond"],
                row["bytes"],
                row["requestedAtMs"] - zero_ms,
                row["endedAtMs"] - zero_ms,
            )
            for row in shown.iter_rows(named=True)
        ],
        switches=[Switch(switch.at_ms - zero_ms, switch.to_bits_per_second, switch.rule) for switch in switches],
        samples=samples,
    )


def _qoe(metrics: Metrics) -> Qoe | None:
    """QoE_lin where nothing but waits for data counts as a stall."""
    qoe, segments = metrics.qoe, len(metrics.segment_megabits_per_second)
    if qoe is None or segments == 0:
        return None
    all_s = sum(stall.seconds for stall in metrics.playback.stalls)
    waited_s = sum(stall.seconds for stall in metrics.playback.stalls if _waits_for_data(stall))
    penalty = qoe.rebuffer_penalty * waited_s / all_s if all_s > 0 else 0.0
    total = qoe.bitrate_sum - penalty - qoe.smoothness_penalty
    return Qoe(total, total / segments)


def _samples(playback: pl.DataFrame, estimates: pl.DataFrame, zero_ms: float, end_s: float) -> list[Sample]:
    """One a second, and one at the end."""
    shown_ms, told_ms = playback["atMs"].to_list(), estimates["atMs"].to_list()
    samples = []
    for at_s in [*range(1, int(end_s) + 1), end_s]:
        at_ms = zero_ms + 1000 * at_s
        shown = max(0, bisect_right(shown_ms, at_ms) - 1)
        samples.append(
            Sample(
                at_ms=1000 * at_s,
                position_seconds=playback["mediaSeconds"][shown],
                buffer_seconds=playback["bufferSeconds"][shown],
                bandwidth_bits_per_second=_last(told_ms, estimates["receiverBitsPerSecond"], at_ms),
                dashjs_bits_per_second=_last(told_ms, estimates["dashjsBitsPerSecond"], at_ms),
            )
        )
    return samples


def _last(times_ms: Sequence[float], values: pl.Series, at_ms: float) -> float | None:
    place = bisect_right(times_ms, at_ms) - 1
    value = None if place < 0 else values[place]
    return None if value is None else float(value)


def _told(estimates: pl.DataFrame, zero_ms: float) -> list[tuple[float, float]]:
    """Seconds since the film's beginning, and the receiver's estimate; without those that say nothing."""
    told = estimates.drop_nulls("receiverBitsPerSecond").select("atMs", "receiverBitsPerSecond")
    return [((at_ms - zero_ms) / 1000, float(value)) for at_ms, value in told.iter_rows()]


def _seconds(
    log: LinkLog, samples: Sequence[Sample], told: Sequence[tuple[float, float]], zero_ms: float, end_s: float
) -> tuple[Second, ...]:
    whole = int(end_s)
    span = LogSpan(zero_ms / 1000, end_s, whole * BINS_A_SECOND)
    capacity, carried = span.rate_in_bins(log.opportunities), span.rate_in_bins(log.departures)

    def mean(rates: Sequence[float], second: int) -> float:
        return fmean(rates[second * BINS_A_SECOND : (second + 1) * BINS_A_SECOND])

    seconds = []
    for second, sample in zip(range(whole), samples, strict=False):
        mean_bits_per_s = mean_told(told, after_s=second, until_s=second + 1)
        last_bits_per_s = sample.bandwidth_bits_per_second
        seconds.append(
            Second(
                at_s=second + 1.0,
                position_s=sample.position_seconds,
                buffer_s=sample.buffer_seconds,
                capacity_bits_per_s=mean(capacity, second),
                carried_bits_per_s=mean(carried, second),
                receiver_bits_per_s=last_bits_per_s,
                dashjs_bits_per_s=sample.dashjs_bits_per_second,
                receiver_mean_bits_per_s=last_bits_per_s if mean_bits_per_s is None else mean_bits_per_s,
            )
        )
    return tuple(seconds)
