"""What a window owes to a scheme that also lowers it by what ACKs say, as schemes that go by delay do."""

from __future__ import annotations

import random

from cc.core.base import AckEvent, LossEvent, Phase
from cc.core.window import WindowScheme
from cc.tests.flow import MSS, flow_at

LONGEST_QUEUE_S = 0.03


class QueueBound(WindowScheme):
    """A packet more each round trip while the queue is short, two less while it is long."""

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        assert event.rtt is not None
        is_long = event.rtt.latest_s - event.rtt.min_s > LONGEST_QUEUE_S
        return self._window_bytes + (-2 if is_long else 1) * MSS * acked_bytes / self._window_bytes

    def reduced_window_bytes(self, event: LossEvent) -> float:
        return self._window_bytes / 2


def test_a_window_that_an_ack_lowers_stays_in_avoidance() -> None:
    flow, scheme = flow_at(QueueBound, 10)
    flow.whole_window(rtt_s=0.1)
    assert scheme.cwnd_bytes == 11 * MSS
    flow.whole_window(rtt_s=0.2)  # 100 ms of queue
    assert scheme.cwnd_bytes == 9 * MSS  # below the 10 packets at which slow start ended
    assert (scheme.phase, scheme.ssthresh_bytes) == (Phase.AVOIDANCE, 9 * MSS)
    flow.whole_window(rtt_s=0.11)  # 10 ms
    assert scheme.cwnd_bytes == 10 * MSS  # not doubled
    assert (scheme.phase, scheme.ssthresh_bytes) == (Phase.AVOIDANCE, 9 * MSS)


def test_the_smallest_round_trip_of_a_flow_is_its_paths() -> None:
    flow, _ = flow_at(QueueBound, 10)
    smallest: list[float] = []
    for rtt_s in (0.2, 0.1, 0.3):
        event = flow.ack(flow.send(1), rtt_s=rtt_s)
        assert event is not None
        assert event.rtt is not None
        smallest.append(event.rtt.min_s)
    assert smallest == [0.2, 0.1, 0.1]
    flow.change_path(QueueBound(max_datagram_bytes=MSS, rng=random.Random(1)))
    event = flow.ack(flow.send(1), rtt_s=0.3)
    assert event is not None
    assert event.rtt is not None
    assert event.rtt.min_s == 0.3
