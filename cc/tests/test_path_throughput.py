"""The throughput of a path, by hand."""

from __future__ import annotations

import math

import pytest

from cc.core.base import AckEvent, DeliveryRate, RttState, SentPacket
from cc.core.path_throughput import TIME_CONSTANT_S, PathThroughput

FULL_S, EMPTY_S = 0.045, 0.0449
"""RTTs over a path of 40 ms: an eighth of that waited, and a little less."""


def ack(
    now_s: float,
    bytes_per_s: float,
    *,
    interval_s: float = 0.1,
    is_app_limited: bool = False,
    rtt_s: float = FULL_S,
) -> AckEvent:
    """One packet's, with a sample."""
    packet = SentPacket(1, 1200, now_s - 0.05, 0, 0.0, 0.0, is_app_limited, 1200, 0)
    return AckEvent(
        now_s=now_s,
        acked=(packet,),
        acked_bytes=1200,
        rtt=RttState(latest_s=rtt_s, smoothed_s=rtt_s, min_s=0.04, variance_s=0.0),
        has_rtt_sample=False,
        delivery_rate=DeliveryRate(bytes_per_s, interval_s, int(bytes_per_s * interval_s), is_app_limited),
        delivered_bytes=1200,
        total_lost_bytes=0,
        prior_bytes_in_flight=1200,
        bytes_in_flight=0,
        is_app_limited=is_app_limited,
    )


def test_the_first_sample_is_taken_as_it_is() -> None:
    throughput = PathThroughput()
    assert throughput.bytes_per_s is None
    throughput.on_ack(ack(1.0, 3e6))
    assert throughput.bytes_per_s == 3e6


def test_a_time_constant_later_the_old_rate_counts_for_a_part_in_e() -> None:
    throughput = PathThroughput()
    throughput.on_ack(ack(1.0, 3e6))
    throughput.on_ack(ack(1.0 + TIME_CONSTANT_S, 1e6, interval_s=TIME_CONSTANT_S))
    assert throughput.bytes_per_s == pytest.approx(1e6 + 2e6 / math.e)


def test_a_sample_after_a_pause_counts_for_its_own_time_alone() -> None:
    throughput = PathThroughput()
    throughput.on_ack(ack(1.0, 3e6))
    throughput.on_ack(ack(60.0, 1e6, interval_s=TIME_CONSTANT_S))
    assert throughput.bytes_per_s == pytest.approx(1e6 + 2e6 / math.e)


def test_what_the_application_limited_says_nothing_of_the_path() -> None:
    throughput = PathThroughput()
    throughput.on_ack(ack(1.0, 3e6))
    throughput.on_ack(ack(2.0, 1e5, is_app_limited=True))
    assert throughput.bytes_per_s == 3e6


def test_before_packets_wait_a_rate_says_what_the_window_let_through() -> None:
    throughput = PathThroughput()
    throughput.on_ack(ack(1.0, 1e6, rtt_s=EMPTY_S))
    assert throughput.bytes_per_s is None
    throughput.on_ack(ack(2.0, 3e6))
    throughput.on_ack(ack(3.0, 1e6, rtt_s=EMPTY_S))
    assert throughput.bytes_per_s == 3e6


def test_a_path_that_carries_more_without_a_queue_does_carry_it() -> None:
    throughput = PathThroughput()
    throughput.on_ack(ack(1.0, 1e6))
    throughput.on_ack(ack(2.0, 3e6, interval_s=TIME_CONSTANT_S, rtt_s=EMPTY_S))
    assert throughput.bytes_per_s == pytest.approx(3e6 - 2e6 / math.e)
