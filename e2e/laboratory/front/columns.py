"""The columns of a front's points: a row a scheme, link and start."""

from __future__ import annotations

from collections.abc import Mapping

from e2e.laboratory.store.columns import Column, flag, number, text, whole

POINTS_FILE = "points.parquet"
POINTS: Mapping[str, Column] = {
    "scheme": text("with its preset, where that is another than on-demand"),
    "is_sender_side": flag("whether the sender works out its window"),
    "link": text("the trace's name, with its mean rate where it was thinned out to that"),
    "family": text("of links: what this one is like"),
    "start": whole("from 1: of the places in the trace where runs begin"),
    "throughput_bits_per_s": number("of what left the link, with all headers; NaN where the run failed"),
    "queueing_delay_p95_ms": number("95th percentile of the packets' time in the queue; NaN where the run failed"),
    "omniscient_throughput_bits_per_s": number("the same of a sender that knows the link"),
    "omniscient_queueing_delay_p95_ms": number("the same of a sender that knows the link"),
}
