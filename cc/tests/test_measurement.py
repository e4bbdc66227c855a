"""What the receiver says of the bandwidth while nothing arrives."""

from __future__ import annotations

import pytest

from cc.core.base import Phase
from cc.core.receiver_base import Stamp
from cc.receiver.measurement import Measurement

BYTES_PER_S = 1_200_000.0


def measured_until(time_s: float) -> Measurement:
    """A stamp each 10 ms on a path of 20 ms, behind a queue that grows to 50 ms."""
    measurement = Measurement()
    measurement.expect_data(True)
    for index in range(round(100 * time_s) + 1):
        received_s = 0.01 * index
        queue_s = min(0.05, 0.001 * index)
        stamp = Stamp(
            sequence=index,
            epoch=0,
            phase=Phase.AVOIDANCE,
            send_time_s=received_s - 0.02 - queue_s,
            bytes_sent=round(BYTES_PER_S * received_s),
            packets_sent=10 * index,
            smoothed_rtt_s=0.09,
            min_rtt_s=0.04,
            cwnd_bytes=120_000,
            max_datagram_bytes=1200,
            is_app_limited=False,
        )
        measurement.on_stamp(stamp, received_time_s=received_s)
        measurement.bandwidth_bits_per_s(now_s=received_s)
    return measurement


def test_silence_while_data_is_expected_says_that_the_link_has_slowed_down() -> None:
    measurement = measured_until(2.0)
    assert measurement.bandwidth_bits_per_s(now_s=2.1) == pytest.approx(8 * BYTES_PER_S, rel=0.01)
    assert measurement.bandwidth_bits_per_s(now_s=2.4) == pytest.approx(2 * BYTES_PER_S, rel=0.01)


def test_a_pause_between_requests_says_nothing_and_silence_begins_with_the_next_one() -> None:
    measurement = measured_until(2.0)
    measurement.expect_data(False)
    assert measurement.bandwidth_bits_per_s(now_s=4.0) == pytest.approx(8 * BYTES_PER_S, rel=0.01)
    measurement.expect_data(True)
    assert measurement.bandwidth_bits_per_s(now_s=5.0) == pytest.approx(8 * BYTES_PER_S, rel=0.01)
    assert measurement.bandwidth_bits_per_s(now_s=5.4) == pytest.approx(2 * BYTES_PER_S, rel=0.01)
