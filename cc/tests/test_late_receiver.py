"""A receiver whose host wakes late: lateness alone is no queue, and a queue is seen all the same."""

from __future__ import annotations

import random

import pytest

from cc.core.receiver_base import ReceiverScheme
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.presets import preset
from cc.receiver.queueing_delay import QueueingDelay
from cc.registry import SCHEMES, scheme
from cc.simulation import Simulation
from cc.tests.late_host import LateHost

LONGEST_LATE_S = 0.06
SECONDS = 12.0
RECEIVER_DRIVEN = [entry.name for entry in SCHEMES if entry.make_receiver is not None]


def noticed(delay: QueueingDelay, index: int, *, wait_s: float, late_s: float) -> float:
    """The filtered delay after a stamp each 10 ms, on a path of 20 ms, that was noticed after so long."""
    send_time_s = 0.01 * index
    received_time_s = send_time_s + 0.020 + wait_s
    delay.on_stamp(send_time_s=send_time_s, received_time_s=received_time_s, bytes_sent=6000 * index, late_s=late_s)
    return delay.filtered_s


def test_a_stamp_that_is_noticed_as_late_as_the_host_is_shows_no_queue() -> None:
    delay = QueueingDelay()
    for index in range(50):
        noticed(delay, index, wait_s=0.0, late_s=0.0)
    for index in range(50, 100):
        assert noticed(delay, index, wait_s=0.030, late_s=0.030) == pytest.approx(0.0, abs=1e-9)
        assert delay.raw_s == pytest.approx(0.0, abs=1e-9)


def test_a_queue_longer_than_the_host_is_late_is_seen_by_as_much() -> None:
    delay = QueueingDelay()
    for index in range(50):
        noticed(delay, index, wait_s=0.0, late_s=0.0)
    for index in range(50, 150):
        filtered_s = noticed(delay, index, wait_s=0.080, late_s=0.030)
    assert delay.raw_s == pytest.approx(0.050)
    assert filtered_s == pytest.approx(0.050, abs=0.002)


def test_a_stamp_that_is_noticed_early_shows_that_the_queue_is_short_however_late_the_host_may_be() -> None:
    delay = QueueingDelay()
    for index in range(50):
        noticed(delay, index, wait_s=0.0, late_s=0.0)
    for index in range(50, 100):
        noticed(delay, index, wait_s=0.080, late_s=0.0)
    assert delay.filtered_s == pytest.approx(0.080, abs=0.002)
    assert noticed(delay, 100, wait_s=0.010, late_s=0.5) <= 0.0151


def test_lateness_does_not_confirm_that_the_queue_is_empty() -> None:
    delay = QueueingDelay()
    noticed(delay, 0, wait_s=0.0, late_s=0.0)
    confirmed_s = delay.confirmed_time_s
    noticed(delay, 1, wait_s=0.020, late_s=0.030)
    assert delay.confirmed_time_s == confirmed_s


def simulated(receiver: ReceiverScheme, sender: str) -> tuple[float, float]:
    """Goodput in bits per second and the link's p95 queueing delay."""
    link = Link(constant_rate_opportunities_ms(12), queue=QueueLimit(packets=200), delay_s=0.020)
    make_sender = scheme(sender).make_sender
    simulation = Simulation(
        make_sender(max_datagram_bytes=1200, rng=random.Random(1)), link, return_delay_s=0.020, receiver=receiver
    )
    simulation.run_until(SECONDS)
    result = simulation.result()
    assert result.queueing_delay is not None
    return result.goodput_bits_per_s, result.queueing_delay.p95_s


@pytest.mark.parametrize("name", RECEIVER_DRIVEN)
def test_a_late_host_that_says_so_keeps_the_window_and_the_queue(name: str) -> None:
    make_receiver = scheme(name).make_receiver
    assert make_receiver is not None
    parameters = preset("interactive").parameters
    in_time, in_time_delay_s = simulated(make_receiver(parameters), name)
    says_so, delay_s = simulated(LateHost(make_receiver(parameters), longest_s=LONGEST_LATE_S), name)
    silent, silent_delay_s = simulated(
        LateHost(make_receiver(parameters), longest_s=LONGEST_LATE_S, says_so=False), name
    )
    assert says_so >= 0.97 * in_time
    assert says_so >= 0.99 * silent
    assert delay_s <= max(in_time_delay_s + LONGEST_LATE_S / 4, silent_delay_s)


def test_a_late_host_that_does_not_say_so_starves_nuwa() -> None:
    make_receiver = scheme("nuwa").make_receiver
    assert make_receiver is not None
    parameters = preset("interactive").parameters
    silent, _ = simulated(LateHost(make_receiver(parameters), longest_s=LONGEST_LATE_S, says_so=False), "nuwa")
    in_time, _ = simulated(make_receiver(parameters), "nuwa")
    assert silent < 0.5 * in_time
