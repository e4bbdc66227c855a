"""The columns of a matrix's rows: type, and what each is.

`python -m e2e.laboratory.store.columns` prints README's table.

Rates are as the link counts, with all headers, unless a column says otherwise. Null is what cannot be known there.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from e2e.laboratory.figures.markdown import markdown_table


@dataclass(frozen=True, slots=True)
class Column:
    """One of a table."""

    kind: pl.DataType
    what: str


def _text(what: str) -> Column:
    return Column(pl.String(), what)


def _number(what: str) -> Column:
    return Column(pl.Float64(), what)


def _whole(what: str) -> Column:
    return Column(pl.Int64(), what)


def _delays(whose: str) -> dict[str, Column]:
    names = {"mean_ms": "mean", "p50_ms": "median", "p95_ms": "95th percentile", "max_ms": "longest"}
    return {f"queueing_delay_{name}": _number(f"{word} time in the queue, {whose}") for name, word in names.items()}


_RUN = _text("hash of the run's parameters and of the sources that made it; joins the tables")

RUNS: Mapping[str, Column] = {
    "run": _RUN,
    "place": _text("simulation, relay, mahimahi or browser"),
    "link": _text("the trace's name"),
    "arm": _text("the side of the comparison, as the report calls it"),
    "seed": _whole("of random draws, and of the place in the trace"),
    "status": _text("finished or failed"),
    "failed_scheme": _text("that made the run fail, where one did"),
    "failure": _text("in one sentence"),
    "duration_s": _number("of what was recorded"),
    "trace_start_ms": _whole("where in the downlink's trace the run begins"),
    "downlink_sha256": _text("of the trace in mahimahi's format"),
    "uplink_sha256": _text("of the trace in mahimahi's format"),
    "delay_ms": _number("of the path each way, without a queue"),
    "discipline": _text("of the downlink's queue"),
    "queue_packets": _whole("that the downlink's queue holds; null is no limit"),
    "loss_ratio": _number("asked for: of downlink packets, lost at random behind the queue"),
    "acks": _text("when the receiver acknowledges"),
    "rule": _text("that adapts the film; null outside the browser, as estimator and the film's columns"),
    "estimator": _text("whose estimate the rule goes by"),
    "capacity_bits_per_s": _number("of the link, mean over the run"),
    "throughput_bits_per_s": _number("of all flows' packets that left the link"),
    **_delays("all flows' packets together"),
    "packets_dropped": _whole("by the queue"),
    "packets_lost_at_random": _whole("behind the queue, by chance"),
    "jain_last_30_s": _number("Jain's index over the last 30 s in which all flows were active; null for one flow"),
    "unanswered_decision_ratio": _number("late or failed, of a policy's decisions; of the scheme that fared worst"),
    "qoe_per_segment": _number("QoE_lin of Pensieve"),
    "played_s": _number("of the film"),
    "startup_s": _number("from the page's opening to the first picture"),
    "stalls": _whole("stretches without a picture behind the first"),
    "stalled_s": _number("all of them together"),
    "bitrate_mean_bits_per_s": _number("of the rungs of the segments that were played; without headers"),
    "switches": _whole("from one rung to another"),
    "estimate_error_ratio": _number("median of |estimate / capacity - 1| while the link was in use"),
    "server_cpu_share": _number("CPU seconds of the media server for each second; null in simulation"),
    "server_lateness_p99_ms": _number("by how much the media server's loop woke late; null in simulation"),
    "receiver_lateness_p99_ms": _number("the same of the receiver, of several that of the latest"),
    "wall_s": _number("that the run took to make"),
    "finished_at": Column(pl.Datetime("ms", "UTC"), "when it was made"),
}
"""One row a run, failed ones included."""

FLOWS: Mapping[str, Column] = {
    "run": _RUN,
    "flow": _whole("from 0, in the order in which they were asked for"),
    "scheme": _text("of congestion control"),
    "preset": _text("the receiver's; schemes that no receiver drives make nothing of it"),
    "start_s": _number("when it begins"),
    "stop_s": _number("when it ends; null is the run's end"),
    "extra_rtt_ms": _number("of its path without a queue, above the link's"),
    "source": _text("bulk, or on-off/BYTES/SECONDS of pause"),
    "goodput_bits_per_s": _number("of use: UDP payload in simulation, elsewhere the responses' bytes"),
    "throughput_bits_per_s": _number("what arrived while it was active"),
    **_delays("its packets"),
    "packets_sent": _whole("by its sender"),
    "packets_lost": _whole(
        "in simulation those that its sender declared lost; elsewhere those of the queue, null where losses are random"
    ),
    "spurious_losses": _whole("declared lost, and acknowledged after all"),
    "rtt_mean_ms": _number("as its sender measured it"),
}
"""One row a run and flow."""

INTERVALS: Mapping[str, Column] = {
    "run": _RUN,
    "flow": _whole("as in flows.parquet"),
    "begin_s": _number("of the interval, which takes 0.1 s"),
    "capacity_bits_per_s": _number("of the link in the interval"),
    "delivered_bits_per_s": _number("of the flow's packets that left the link in it"),
    "queueing_delay_mean_ms": _number("of those packets; null where there were none"),
    "queueing_delay_p95_ms": _number("of those packets; null where there were none"),
    "cwnd_bytes": _whole("the sender's window, at the interval's end"),
    "bytes_in_flight": _whole("at the interval's end"),
    "pacing_bits_per_s": _number("the sender's, at the interval's end; null for none"),
}
"""One row a run, flow and interval."""

TABLES: Mapping[str, Mapping[str, Column]] = {
    "runs.parquet": RUNS,
    "flows.parquet": FLOWS,
    "intervals.parquet": INTERVALS,
}


def schema(columns: Mapping[str, Column]) -> pl.Schema:
    """Of a table."""
    return pl.Schema({name: column.kind for name, column in columns.items()})


def described(columns: Mapping[str, Column]) -> str:
    """What each column is, as JSON, for the file itself."""
    return json.dumps({name: column.what for name, column in columns.items()})


def page() -> str:
    """README's table."""
    rows = [
        [f"`{table.removesuffix('.parquet')}`", f"`{name}`", column.what.replace("|", "\\|")]
        for table, columns in TABLES.items()
        for name, column in columns.items()
    ]
    return markdown_table(["table", "column", "what"], rows)


if __name__ == "__main__":
    sys.stdout.write(page())
