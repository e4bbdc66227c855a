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


def text(what: str) -> Column:
    """Words."""
    return Column(pl.String(), what)


def number(what: str) -> Column:
    """Any."""
    return Column(pl.Float64(), what)


def whole(what: str) -> Column:
    """A number of that kind."""
    return Column(pl.Int64(), what)


def flag(what: str) -> Column:
    """True or false."""
    return Column(pl.Boolean(), what)


def _delays(whose: str) -> dict[str, Column]:
    names = {"mean_ms": "mean", "p50_ms": "median", "p95_ms": "95th percentile", "max_ms": "longest"}
    return {f"queueing_delay_{name}": number(f"{word} time in the queue, {whose}") for name, word in names.items()}


_SEEN = "emulated beside others: above the least of 30 s, as its receiver saw it"


_RUN = text("hash of the run's parameters and of the sources that made it; joins the tables")

RUNS: Mapping[str, Column] = {
    "run": _RUN,
    "place": text("simulation, relay, mahimahi or browser"),
    "link": text("the trace's name"),
    "arm": text("the side of the comparison, as the report calls it"),
    "seed": whole("of random draws, and of the place in the trace"),
    "status": text("finished or failed"),
    "failed_scheme": text("that made the run fail, where one did"),
    "failure": text("in one sentence"),
    "duration_s": number("of what was recorded"),
    "trace_start_ms": whole("where in the downlink's trace the run begins"),
    "downlink_sha256": text("of the trace in mahimahi's format"),
    "uplink_sha256": text("of the trace in mahimahi's format"),
    "delay_ms": number("of the path each way, without a queue"),
    "discipline": text("of the downlink's queue"),
    "queue_packets": whole("that the downlink's queue holds; null is no limit"),
    "loss_ratio": number("asked for: of downlink packets, lost at random behind the queue"),
    "acks": text("when the receiver acknowledges"),
    "rule": text("that adapts the film; null outside the browser, as estimator and the film's columns"),
    "estimator": text("whose estimate the rule goes by"),
    "capacity_bits_per_s": number("of the link, mean over the run"),
    "throughput_bits_per_s": number("of all flows' packets that left the link"),
    **_delays("all flows' packets together"),
    "packets_dropped": whole("by the queue"),
    "packets_lost_at_random": whole("behind the queue, by chance"),
    "jain_last_30_s": number("Jain's index over the last 30 s in which all flows were active; null for one flow"),
    "unanswered_decision_ratio": number("late or failed, of a policy's decisions; of the scheme that fared worst"),
    "qoe_per_segment": number("QoE_lin of Pensieve"),
    "played_s": number("of the film"),
    "startup_s": number("from the page's opening to the first picture"),
    "stalls": whole("stretches without a picture behind the first"),
    "stalled_s": number("all of them together"),
    "bitrate_mean_bits_per_s": number("of the rungs of the segments that were played; without headers"),
    "switches": whole("from one rung to another"),
    "estimate_error_ratio": number("median of |estimate / capacity - 1| while the link was in use"),
    "server_cpu_share": number("CPU seconds of the media server for each second; null in simulation"),
    "server_lateness_p99_ms": number("by how much the media server's loop woke late; null in simulation"),
    "receiver_lateness_p99_ms": number("the same of the receiver, of several that of the latest"),
    "wall_s": number("that the run took to make"),
    "finished_at": Column(pl.Datetime("ms", "UTC"), "when it was made"),
}
"""One row a run, failed ones included."""

FLOWS: Mapping[str, Column] = {
    "run": _RUN,
    "flow": whole("from 0, in the order in which they were asked for"),
    "scheme": text("of congestion control"),
    "preset": text("the receiver's; schemes that no receiver drives make nothing of it"),
    "start_s": number("when it begins"),
    "stop_s": number("when it ends; null is the run's end"),
    "extra_rtt_ms": number("of its path without a queue, above the link's"),
    "source": text("bulk, or on-off/BYTES/SECONDS of pause"),
    "goodput_bits_per_s": number("of use: UDP payload in simulation, elsewhere the responses' bytes"),
    "throughput_bits_per_s": number("what arrived while it was active"),
    **_delays(f"its packets; {_SEEN}"),
    "packets_sent": whole("by its sender"),
    "packets_lost": whole(
        "in simulation those that its sender declared lost; elsewhere those of the queue, "
        "null of several flows and where losses are random"
    ),
    "spurious_losses": whole("declared lost, and acknowledged after all"),
    "rtt_mean_ms": number("as its sender measured it"),
    "segments_delivered": whole("of an on-off source in simulation, as the next two"),
    "segment_mean_ms": number("from a segment's handover until all of it is acknowledged"),
    "segment_p95_ms": number("95th percentile of the same"),
}
"""One row a run and flow."""

INTERVALS: Mapping[str, Column] = {
    "run": _RUN,
    "flow": whole("as in flows.parquet"),
    "begin_s": number("of the interval, which takes 0.1 s"),
    "capacity_bits_per_s": number("of the link in the interval"),
    "delivered_bits_per_s": number("of the flow's packets that left the link in it"),
    "queueing_delay_mean_ms": number(f"of those packets; {_SEEN}; null where there were none"),
    "queueing_delay_p95_ms": number(f"of those packets; {_SEEN}; null where there were none"),
    "cwnd_bytes": whole("the sender's window, at the interval's end"),
    "bytes_in_flight": whole("at the interval's end"),
    "pacing_bits_per_s": number("the sender's, at the interval's end; null for none"),
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


def kinds(tables: Mapping[str, Mapping[str, Column]]) -> dict[str, dict[str, str]]:
    """The type of each column, by file and name."""
    return {file: {name: str(kind) for name, kind in schema(columns).items()} for file, columns in tables.items()}


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
