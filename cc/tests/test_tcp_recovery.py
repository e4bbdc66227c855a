"""TCP's recovery against numbers worked by hand from RFC 6298, and what it makes of an outage."""

from __future__ import annotations

import math
import random

import pytest

from cc.core.ack_policy import TCP, AckPolicy
from cc.core.base import RttState
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.sender.newreno import NewReno
from cc.simulation import Simulation, SimulationOptions
from cc.simulation.recovery import QuicRecovery, Recovery, TcpRecovery
from cc.simulation.retransmission_timer import RetransmissionTimer, timeout_s
from cc.tests.sim_flows import DELAY_S

LONG = RttState(latest_s=0.3, smoothed_s=0.3, min_s=0.3, variance_s=0.05)
SHORT = RttState(latest_s=0.04, smoothed_s=0.04, min_s=0.04, variance_s=0.01)


def test_the_timeout_is_200_ms_more_than_the_rtt_at_the_least() -> None:
    # 0.3 + 4 * 0.05, and 4 * 0.01 < 0.2
    assert [timeout_s(None), timeout_s(LONG), timeout_s(SHORT)] == pytest.approx([1.0, 0.5, 0.24])


def test_the_timer_runs_from_the_first_packet_and_anew_from_each_ack() -> None:
    timer = RetransmissionTimer()
    assert timer.due_s == math.inf
    timer.on_sent(1.0, SHORT)
    timer.on_sent(1.1, SHORT)
    assert timer.due_s == pytest.approx(1.24)
    timer.on_ack(1.15, SHORT, is_in_flight=True)
    assert timer.due_s == pytest.approx(1.39)
    timer.on_ack(1.3, SHORT, is_in_flight=False)
    assert timer.due_s == math.inf


def test_each_timeout_makes_the_next_twice_as_late_until_an_ack_comes() -> None:
    timer = RetransmissionTimer()
    due = []
    for _ in range(3):
        timer.on_sent(0.0, SHORT)
        due.append(timer.due_s)
        timer.on_timeout()
    timer.on_sent(0.0, SHORT)
    timer.on_ack(0.0, SHORT, is_in_flight=True)
    assert [*due, timer.due_s] == pytest.approx([0.24, 0.48, 0.96, 0.24])
    assert timer.timeouts == 3


def test_an_ack_waits_for_a_second_packet_or_40_ms() -> None:
    policy = AckPolicy(min_rtt_s=0.04, rule=TCP)
    assert [ack.packet_numbers for ack in policy.on_arrivals(0, [1.0, 1.01, 1.02])] == [[0, 1]]
    assert policy.due_s == pytest.approx(1.06)


def simulated(recovery: type[Recovery]) -> Simulation:
    """8 Mbit/s, but nothing from 3 to 6 s."""
    second_ms = constant_rate_opportunities_ms(8)
    link = Link(
        [1000 * second + time_ms for second in (0, 1, 2, 6, 7) for time_ms in second_ms],
        queue=QueueLimit(packets=20),
        delay_s=DELAY_S,
    )
    sender = NewReno(max_datagram_bytes=1350, rng=random.Random(1))
    options = SimulationOptions(ack=TCP, recovery=recovery)
    simulation = Simulation(sender, link, return_delay_s=DELAY_S, options=options)
    simulation.run_until(7.9)
    return simulation


def test_an_outage_ends_in_timeouts_instead_of_probes() -> None:
    tcp, quic = (simulated(way) for way in (TcpRecovery, QuicRecovery))
    recovery = tcp.sender.recovery
    assert isinstance(recovery, TcpRecovery)
    timer = recovery.retransmission
    # 0.2, 0.4, 0.8 and 1.6 s after one another: the fourth at the outage's end
    assert timer.timeouts in (4, 5)
    assert (tcp.sender.probes_sent, quic.sender.probes_sent > 0) == (0, True)
    assert tcp.sender.persistent_congestions == timer.timeouts  # the window collapses with each
    assert tcp.result().goodput_bits_per_s > 0.3 * quic.result().goodput_bits_per_s
