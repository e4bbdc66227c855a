"""A qlog of the control as dictionaries and text (transport/wire_format/QLOG.md has the vocabulary).

Head: draft-ietf-quic-qlog-main-schema-14, with the keys of qlog 0.3 that qvis asks for. Records: RFC 7464.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from cc.core.base import Phase, RttState
from cc.core.guard import Verdict
from cc.core.receiver_base import Feedback, ReceiverState, Stamp

Json = Mapping[str, object]
Clock = Literal["system", "virtual"]
"""What the times count from: seconds since the Unix epoch, or those of a simulation."""

SUFFIX = ".sqlog"
METRICS_UPDATED = "recovery:metrics_updated"
RECORD_SEPARATOR = "\x1e"
EVENT_SCHEMAS = ("urn:ietf:params:qlog:events:quic", "urn:nuwa-stream:qlog:events:nuwa-1")
EPOCHS: Mapping[Clock, str] = {"system": "1970-01-01T00:00:00.000Z", "virtual": "unknown"}


def head(
    title: str, vantage_point: Literal["client", "server"], *, clock: Clock = "system", group_id: str | None = None
) -> Json:
    """The first record of a file; `group_id`: what traces of one connection have in common, where there are several."""
    group = {} if group_id is None else {"group_id": group_id}
    return {
        "file_schema": "urn:ietf:params:qlog:file:sequential",
        "serialization_format": "application/qlog+json-seq",
        "qlog_version": "0.3",
        "qlog_format": "JSON-SEQ",
        "trace": {
            "title": title,
            "event_schemas": list(EVENT_SCHEMAS),
            "common_fields": {
                "time_format": "relative_to_epoch",
                "reference_time": {"clock_type": clock, "epoch": EPOCHS[clock]},
                **group,
            },
            "vantage_point": {"type": vantage_point},
        },
    }


def event(name: str, data: Json, *, time_s: float) -> Json:
    """A record after the head; what is None in `data` is left out."""
    return {
        "time": _milliseconds(time_s),
        "name": name,
        "data": {key: value for key, value in data.items() if value is not None},
    }


def text(record: Json) -> str:
    """A record as it is written."""
    return RECORD_SEPARATOR + json.dumps(record, allow_nan=False, separators=(",", ":")) + "\n"


def receiver_updated(stamp: Stamp, state: ReceiverState, *, late_s: float, time_s: float) -> Json:
    """A stamp was received, and the receiver made this of it."""
    data = {
        "sequence": stamp.sequence,
        "epoch": stamp.epoch,
        "phase": stamp.phase.name.lower(),
        "measured_queueing_delay_ms": _milliseconds(state.raw_queueing_delay_s),
        "queueing_delay_ms": _milliseconds(state.queueing_delay_s),
        "target_delay_ms": _milliseconds(state.target_delay_s),
        "bandwidth_bits_per_s": _whole(state.bandwidth_bits_per_s),
        "window_bytes": state.window_bytes,
        "k": state.k,
        "late_ms": _milliseconds(late_s),
    }
    return event("nuwa:receiver_updated", data, time_s=time_s)


def sender_as_stamped(stamp: Stamp, *, time_s: float) -> Json:
    """What a stamp says of the sender, when it was received."""
    data = {
        "smoothed_rtt": _milliseconds(stamp.smoothed_rtt_s),
        "min_rtt": _milliseconds(stamp.min_rtt_s),
        "congestion_window": stamp.cwnd_bytes,
    }
    return event(METRICS_UPDATED, data, time_s=time_s)


def window_requested(feedback: Feedback, *, time_s: float) -> Json:
    """A receiver sent this."""
    data = {
        "sequence": feedback.sequence,
        "epoch": feedback.epoch,
        "stamp_sequence": feedback.last_stamp_sequence,
        "window_bytes": feedback.window_bytes,
        "end_slow_start": feedback.end_slow_start,
        **_measured(feedback),
    }
    return event("nuwa:window_requested", data, time_s=time_s)


def window_granted(feedback: Feedback, verdict: Verdict, granted_bytes: int | None, *, time_s: float) -> Json:
    """A sender's guard judged a feedback; `granted_bytes` is None where the request is not to be followed."""
    data = {
        "sequence": feedback.sequence,
        "epoch": feedback.epoch,
        "requested_bytes": feedback.window_bytes,
        "verdict": verdict.value,
        "granted_bytes": granted_bytes,
        **_measured(feedback),
    }
    return event("nuwa:window_granted", data, time_s=time_s)


def sender_updated(
    rtt: RttState | None, *, cwnd_bytes: int, bytes_in_flight: int, pacing_bytes_per_s: float | None, time_s: float
) -> Json:
    """A sender's own numbers, after an ACK."""
    data = {
        "smoothed_rtt": None if rtt is None else _milliseconds(rtt.smoothed_s),
        "min_rtt": None if rtt is None else _milliseconds(rtt.min_s),
        "latest_rtt": None if rtt is None else _milliseconds(rtt.latest_s),
        "congestion_window": cwnd_bytes,
        "bytes_in_flight": bytes_in_flight,
        "pacing_rate": None if pacing_bytes_per_s is None else _whole(8 * pacing_bytes_per_s),
    }
    return event(METRICS_UPDATED, data, time_s=time_s)


def phase_updated(old: Phase, new: Phase, *, time_s: float) -> Json:
    """The sender is in another phase."""
    data = {"old": old.name.lower(), "new": new.name.lower()}
    return event("recovery:congestion_state_updated", data, time_s=time_s)


def _measured(feedback: Feedback) -> Json:
    return {
        "bandwidth_bits_per_s": feedback.bandwidth_bits_per_s,
        "queueing_delay_ms": _milliseconds(feedback.queueing_delay_s),
        "target_delay_ms": _milliseconds(feedback.target_delay_s),
        "k": feedback.k,
    }


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(1000 * seconds, 3)


def _whole(number: float | None) -> int | None:
    return None if number is None else round(number)
