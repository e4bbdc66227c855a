"""The vocabulary's examples, which the page's tests read, too, as Python writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cc.core import qlog
from cc.core.base import Phase
from cc.core.guard import Verdict
from cc.core.receiver_base import Feedback, ReceiverState, Stamp

EXAMPLES = json.loads(Path("transport/wire_format/testdata/qlog.json").read_text())
STAMP = Stamp(
    sequence=41,
    epoch=2,
    phase=Phase.AVOIDANCE,
    send_time_s=1.0,
    bytes_sent=0,
    packets_sent=0,
    smoothed_rtt_s=0.0815,
    min_rtt_s=None,
    cwnd_bytes=144_000,
    max_datagram_bytes=1200,
    is_app_limited=False,
)
FEEDBACK = Feedback(
    sequence=17,
    epoch=2,
    last_stamp_sequence=41,
    window_bytes=150_000,
    end_slow_start=False,
    bandwidth_bits_per_s=23_500_000,
    queueing_delay_s=0.0415,
    k=7.0,
    target_delay_s=0.04,
)
STATE = ReceiverState(
    raw_queueing_delay_s=0.04425,
    queueing_delay_s=0.0415,
    bandwidth_bits_per_s=23.5e6,
    delivered_bits_per_s=None,
    window_bytes=150_000,
    k=7.0,
    target_delay_s=0.04,
)


def example(name: str) -> dict[str, Any]:
    """An event, with what only a page knows left out."""
    (found,) = (each["event"] for each in EXAMPLES["events"] if each["name"] == name)
    found["data"].pop("end_slow_start" if found["name"] == "nuwa:receiver_updated" else "", None)
    return dict(found)


def test_the_head_says_what_the_draft_and_qvis_ask_for() -> None:
    assert qlog.head("nuwa, on-demand", "client") == EXAMPLES["head"]


def test_events_are_those_of_the_vocabulary() -> None:
    at = 1_700_000_000.0
    written = {
        "receiver, all known": qlog.receiver_updated(STAMP, STATE, late_s=0.0, time_s=at + 0.1235),
        "receiver, what it sends": qlog.window_requested(FEEDBACK, time_s=at + 0.124),
        "sender": qlog.window_granted(FEEDBACK, Verdict.LOWERED, 144_000, time_s=at + 0.13),
        "what QUIC's own vocabulary has": qlog.sender_as_stamped(STAMP, time_s=at + 0.1235),
        "another phase": qlog.phase_updated(Phase.SLOW_START, Phase.AVOIDANCE, time_s=at + 0.131),
    }
    assert written == {name: example(name) for name in written}


def test_a_record_is_a_json_text_between_its_separators() -> None:
    """RFC 7464 section 2.2."""
    text = qlog.text(qlog.phase_updated(Phase.AVOIDANCE, Phase.RECOVERY, time_s=1.0))
    assert text.startswith("\x1e")
    assert text.endswith("\n")
    assert json.loads(text[1:])["time"] == 1000
