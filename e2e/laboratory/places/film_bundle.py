"""What a cell's bundle says of the film that a browser played."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import msgspec
import polars as pl

from e2e.laboratory.decisions import require_answers
from e2e.laboratory.places.cell_bundle import Metrics, read_cell_bundle, read_cell_log
from e2e.laboratory.places.log_span import LogSpan
from e2e.laboratory.plan import INTERVAL_S, Estimator, RunPlan
from e2e.laboratory.result import FlowIntervals, FlowResult, Intervals, PlayerResult, RunResult, SchemeDecisions


def read_film_bundle(plan: RunPlan, folder: Path) -> RunResult:
    """In the laboratory's terms; the link's figures are from its log. Raises RunError."""
    bundle = read_cell_bundle(folder)
    window = bundle.metrics.window
    log = read_cell_log(folder)
    count = int(plan.duration_s / INTERVAL_S + 1e-6)
    span = LogSpan(window.from_ms / 1000, window.length_s, count)
    link = span.link_result(log)
    mean_ms, p95_ms = span.delays_in_bins(log)
    received_bytes = sum(pl.read_csv(folder / "segments.csv", columns=["bytes"])["bytes"].to_list())
    cpu_s = bundle.metrics.server_cpu_seconds
    decisions = msgspec.convert(bundle.decisions, tuple[SchemeDecisions, ...], from_attributes=True)
    require_answers(decisions)
    return RunResult(
        flows=(
            FlowResult(
                scheme=plan.arm.flows[0].scheme,
                goodput_bits_per_s=8 * received_bytes / window.length_s,
                throughput_bits_per_s=link.throughput_bits_per_s,
                queueing_delay=link.queueing_delay,
                packets_sent=None,
                packets_lost=link.dropped if plan.link.loss_ratio == 0 else None,
                spurious_losses=None,
                rtt_mean_ms=None,
            ),
        ),
        link=link,
        intervals=Intervals(
            begin_s=tuple(round(index * INTERVAL_S, 3) for index in range(count)),
            capacity_bits_per_s=span.rate_in_bins(log.opportunities),
            flows=(
                FlowIntervals(
                    delivered_bits_per_s=span.rate_in_bins(log.departures),
                    queueing_delay_mean_ms=mean_ms,
                    queueing_delay_p95_ms=p95_ms,
                    cwnd_bytes=(None,) * count,
                    bytes_in_flight=(None,) * count,
                    pacing_bits_per_s=(None,) * count,
                ),
            ),
        ),
        server_cpu_share=None if cpu_s is None else cpu_s / window.length_s,
        decisions=decisions,
        player=_player_result(bundle.metrics, None if plan.player is None else plan.player.estimator),
    )


def _player_result(metrics: Metrics, estimator: Estimator | None) -> PlayerResult:
    playback, bitrates = metrics.playback, metrics.segment_megabits_per_second
    estimate = metrics.dashjs_estimate if estimator == "dashjs" else metrics.receiver_estimate
    return PlayerResult(
        qoe_per_segment=None if metrics.qoe is None else metrics.qoe.per_segment,
        played_s=playback.played_seconds,
        startup_s=playback.startup_seconds,
        stalls=len(playback.stalls),
        stalled_s=playback.rebuffer_seconds,
        bitrate_mean_bits_per_s=1e6 * fmean(bitrates) if bitrates else None,
        switches=metrics.switches,
        estimate_error_ratio=None if estimate is None else estimate.of_payload_capacity,
    )
