"""Emptying a queue that stands: when it begins, what the window is, and how it ends."""

from __future__ import annotations

from cc.core.base import Phase
from cc.core.receiver_base import Stamp
from cc.receiver.emptying import STANDING_S, Emptying

STAMP = Stamp(
    sequence=0,
    epoch=0,
    phase=Phase.AVOIDANCE,
    send_time_s=0.0,
    bytes_sent=0,
    packets_sent=0,
    smoothed_rtt_s=0.050,
    min_rtt_s=0.040,
    cwnd_bytes=48_000,
    max_datagram_bytes=1200,
    is_app_limited=False,
)


def told(emptying: Emptying, queue_s: float | None, *, elapsed_s: float, at_s: float) -> float:
    return emptying.window_packets(40.0, STAMP, queue_s=queue_s, elapsed_s=elapsed_s, received_time_s=at_s)


def test_a_queue_that_stands_is_emptied_for_a_round_trip() -> None:
    emptying = Emptying()
    assert told(emptying, 0.010, elapsed_s=STANDING_S - 1, at_s=9.0) == 40
    assert told(emptying, 0.010, elapsed_s=1.0, at_s=10.0) == 20
    assert emptying.is_on
    assert told(emptying, None, elapsed_s=0.049, at_s=10.049) == 20
    assert told(emptying, None, elapsed_s=0.002, at_s=10.051) == 40
    assert emptying.is_on  # what refills the queue is on its way
    assert told(emptying, None, elapsed_s=0.1, at_s=10.151) == 40
    assert not emptying.is_on


def test_an_empty_queue_begins_the_wait_anew() -> None:
    emptying = Emptying()
    told(emptying, 0.010, elapsed_s=STANDING_S - 1, at_s=9.0)
    told(emptying, None, elapsed_s=1.0, at_s=10.0)
    assert told(emptying, 0.010, elapsed_s=1.0, at_s=11.0) == 40


def test_a_queue_that_half_the_window_would_not_empty_is_left() -> None:
    emptying = Emptying()
    assert told(emptying, 0.041, elapsed_s=STANDING_S, at_s=10.0) == 40
    assert told(emptying, 0.039, elapsed_s=0.01, at_s=10.01) == 20


def test_after_a_loss_the_senders_window_holds() -> None:
    emptying = Emptying()
    told(emptying, 0.010, elapsed_s=STANDING_S, at_s=10.0)
    emptying.stop()
    assert told(emptying, 0.010, elapsed_s=0.01, at_s=10.01) == 40
