"""How often a receiver asks, as both languages have it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cc.core.base import Phase
from cc.core.receiver_base import Stamp
from cc.receiver.feedback_interval import SHORTEST_S, feedback_interval_s

CASES = json.loads((Path(__file__).parents[1] / "receiver/testdata/feedback-interval.json").read_text(encoding="utf-8"))
STAMP = Stamp(
    sequence=1,
    epoch=0,
    phase=Phase.AVOIDANCE,
    send_time_s=1.0,
    bytes_sent=0,
    packets_sent=0,
    smoothed_rtt_s=0.05,
    min_rtt_s=0.04,
    cwnd_bytes=12_000,
    max_datagram_bytes=1200,
    is_app_limited=False,
)
PHASES = (Phase.SLOW_START, Phase.AVOIDANCE, Phase.RECOVERY)
"""By their numbers on the wire."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_interval_is_a_share_of_the_round_trip(case: dict[str, Any]) -> None:
    stamp = replace(STAMP, phase=PHASES[case["phase"]], min_rtt_s=case["min_rtt_s"])
    assert feedback_interval_s(stamp) == pytest.approx(case["interval_s"], abs=1e-12)


def test_before_the_first_stamp_it_is_the_shortest() -> None:
    assert feedback_interval_s(None) == SHORTEST_S
