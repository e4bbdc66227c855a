"""DRWA's window by hand (algorithm 1), and where its round trip settles."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.core.receiver_base import Stamp
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.drwa import Drwa
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation import Simulation

MSS = 1000


def stamp(sequence: int, *, time_s: float, bytes_sent: int, phase: Phase = Phase.AVOIDANCE, **changes: object) -> Stamp:
    fields: dict[str, object] = {
        **{"sequence": sequence, "epoch": 0, "phase": phase, "send_time_s": time_s, "bytes_sent": bytes_sent},
        **{"packets_sent": bytes_sent // MSS, "smoothed_rtt_s": 0.125, "min_rtt_s": 0.125, "cwnd_bytes": 100 * MSS},
        **{"max_datagram_bytes": MSS, "is_app_limited": False},
        **changes,
    }
    return Stamp(**fields)  # type: ignore[arg-type]


def receive(receiver: Drwa, *stamps: Stamp) -> None:
    for one in stamps:
        receiver.on_stamp(one, received_time_s=one.send_time_s + 0.05)  # no queue


def test_the_window_is_lambda_times_what_a_round_trip_brought() -> None:
    receiver = Drwa()
    receive(receiver, stamp(0, time_s=1.0, bytes_sent=0), stamp(1, time_s=1.125, bytes_sent=40 * MSS))
    assert receiver.window_packets == pytest.approx(3 * 40)
    # 7/8 of 40 and 1/8 of 80 packets are 45
    receive(receiver, stamp(2, time_s=1.25, bytes_sent=120 * MSS))
    assert receiver.window_packets == pytest.approx(3 * 45)


def test_bytes_are_scaled_to_one_round_trip_and_growth_is_bounded() -> None:
    receiver = Drwa()
    receive(receiver, stamp(0, time_s=1.0, bytes_sent=0), stamp(1, time_s=1.5, bytes_sent=160 * MSS))
    assert receiver.window_packets == pytest.approx(3 * 40)
    receive(receiver, stamp(2, time_s=1.625, bytes_sent=1160 * MSS))  # 7/8 of 40 and 1/8 of 1000: thrice is beyond 200
    assert receiver.window_packets == pytest.approx(200)


def test_an_application_limited_round_trip_is_not_counted() -> None:
    receiver = Drwa()
    receive(receiver, stamp(0, time_s=1.0, bytes_sent=0), stamp(1, time_s=1.125, bytes_sent=40 * MSS))
    receive(receiver, stamp(2, time_s=1.25, bytes_sent=41 * MSS, is_app_limited=True))
    assert receiver.window_packets == pytest.approx(120)


def test_slow_start_ends_where_the_bound_is_below_the_window() -> None:
    receiver = Drwa()
    slow = Phase.SLOW_START
    receive(receiver, stamp(0, time_s=1.0, bytes_sent=0, phase=slow))
    receive(receiver, stamp(1, time_s=1.125, bytes_sent=40 * MSS, phase=slow))
    feedback = receiver.feedback(now_s=1.2)
    assert feedback is not None
    assert not feedback.end_slow_start
    receive(receiver, stamp(2, time_s=1.25, bytes_sent=70 * MSS, phase=slow))
    feedback = receiver.feedback(now_s=1.3)
    assert feedback is not None
    assert feedback.end_slow_start
    assert feedback.window_bytes == 3 * 30 * MSS
    assert (feedback.k, feedback.target_delay_s) == (None, None)


def test_the_round_trip_settles_near_lambda_times_the_shortest() -> None:
    link = Link(constant_rate_opportunities_ms(24), queue=QueueLimit(packets=1000), delay_s=0.020)
    sender = ReceiverDriven(max_datagram_bytes=1350, rng=random.Random(1))
    simulation = Simulation(sender, link, return_delay_s=0.020, receiver=Drwa())
    simulation.run_until(20.0)
    result = simulation.result()
    assert result.goodput_bits_per_s > 0.9 * 24e6 * 1350 / 1382
    assert result.queueing_delay is not None
    assert result.queueing_delay.p50_s == pytest.approx(2 * 0.040, rel=0.25)
