"""What a sender measures between two decisions, with numbers worked by hand."""

from __future__ import annotations

import random

import pytest

from cc.core.base import SentPacket
from cc.core.interval import IntervalMeasurement, IntervalMeter
from cc.sender.newreno import NewReno
from cc.tests.flow import MSS, Flow


class _Metered(NewReno):
    """NewReno with a meter."""

    meter: IntervalMeter

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        self.meter.on_packet_sent(packet)


def test_an_interval_has_what_happened_in_it() -> None:
    scheme = _Metered(max_datagram_bytes=MSS, rng=random.Random(1))
    meter = scheme.meter = IntervalMeter()
    flow = Flow(scheme)
    meter.begin(flow.now_s)
    numbers = flow.send(8)
    flow.wait(0.1)
    first = flow.ack(numbers[:2], rtt_s=0.100)
    flow.wait(0.1)
    second = flow.ack(numbers[2:6], rtt_s=0.120)
    loss = flow.lose(numbers[6:])
    assert first is not None
    assert second is not None
    assert loss is not None
    meter.on_ack(first)
    meter.on_ack(second)
    meter.on_loss(loss)
    measured = meter.end(flow.now_s + 0.2)
    assert measured.duration_s == pytest.approx(0.4)
    assert (measured.sent_bytes, measured.acked_bytes, measured.lost_bytes) == (8 * MSS, 6 * MSS, 2 * MSS)
    assert measured.acked_bytes_per_s == pytest.approx(15 * MSS)
    assert measured.loss_ratio == 0.25
    assert measured.rtt_mean_s == pytest.approx(0.110)
    assert measured.rtt_min_s == 0.100
    assert measured.rtt_gradient == pytest.approx(0.2)  # 20 ms more in 100 ms


def test_the_next_interval_begins_where_the_last_ended() -> None:
    meter = IntervalMeter()
    meter.begin(1.0)
    assert meter.end(2.0) == IntervalMeasurement(1.0, 1.0, 0, 0, 0, None, None, None)
    assert meter.end(2.5) == IntervalMeasurement(2.0, 0.5, 0, 0, 0, None, None, None)
