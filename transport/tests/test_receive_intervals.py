"""What the headless receiver reports of each stretch of time."""

from __future__ import annotations

import pytest

from transport.headless.receive_intervals import IntervalRecorder


def test_each_stretch_has_what_arrived_in_it() -> None:
    recorder = IntervalRecorder(interval_s=0.1, began_s=50.0)
    recorder.on_received(999, now_s=49.99)  # before the beginning
    recorder.on_received(100, now_s=50.0)
    recorder.on_payload(130, now_s=50.05)
    recorder.on_stamp(queueing_delay_s=0.010, cwnd_bytes=13_500, now_s=50.05)
    recorder.on_stamp(queueing_delay_s=0.030, cwnd_bytes=14_850, now_s=50.06)
    recorder.on_received(200, now_s=50.25)
    record = recorder.record(seconds=0.4)
    assert record.received_bytes == [100, 0, 200, 0]
    assert (record.payload_bytes, record.datagrams) == ([130, 0, 0, 0], [1, 0, 0, 0])
    assert record.queueing_delay_mean_s == [pytest.approx(0.020), None, None, None]
    assert record.queueing_delay_p95_s == [0.030, None, None, None]
    assert record.cwnd_bytes == [14_850, None, None, None]


def test_what_comes_after_the_last_whole_stretch_is_left_out() -> None:
    recorder = IntervalRecorder(interval_s=0.1, began_s=0.0)
    recorder.on_received(1, now_s=0.31)
    assert recorder.record(seconds=0.3).received_bytes == [0, 0, 0]
