"""Sprout-EWMA against numbers worked by hand from the authors' code.

Its first average is 10 packets in 5 ticks, 2 packets a tick.
"""

from __future__ import annotations

import random

import pytest

from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.sender.sprout.ewma import SproutEwma
from cc.simulation import Simulation
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import Outage, run_flow


def make_flow() -> tuple[Flow, SproutEwma]:
    """The first ACK has come, for 10 packets, and 90 more are in flight."""
    scheme = SproutEwma(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    flow.send(100)
    flow.wait()
    flow.ack(range(10))
    return flow, scheme


def bytes_per_tick(scheme: SproutEwma) -> float:
    return scheme.forecast_bytes(1)


def test_window_is_what_five_ticks_deliver() -> None:
    scheme = SproutEwma(max_datagram_bytes=MSS, rng=random.Random(1))
    assert bytes_per_tick(scheme) == 2 * MSS
    assert scheme.cwnd_bytes == 10 * MSS


def test_average_takes_an_eighth_of_each_tick() -> None:
    flow, scheme = make_flow()
    assert bytes_per_tick(scheme) == 2 * MSS
    flow.wait(0.010)
    flow.ack(range(10, 15))  # the same tick
    assert bytes_per_tick(scheme) == 2 * MSS
    flow.wait(0.011)
    flow.ack(range(15, 16))  # the next: 7/8 x 2000 + 1/8 x 15000
    assert bytes_per_tick(scheme) == pytest.approx(3625)
    assert scheme.cwnd_bytes == 18125


def test_forecast_grows_with_each_tick_ahead() -> None:
    _, scheme = make_flow()
    assert [scheme.forecast_bytes(ticks) / bytes_per_tick(scheme) for ticks in (1, 2, 8)] == pytest.approx([1, 2, 8])


def test_silent_ticks_count_while_packets_are_under_way() -> None:
    flow, scheme = make_flow()
    flow.wait(0.081)
    flow.ack(range(10, 11))
    # 7/8 x 2000 + 1/8 x 10000 = 3000, then three ticks of nothing: x (7/8)^3.
    assert bytes_per_tick(scheme) == pytest.approx(2009.8, abs=0.1)


def test_a_pause_of_the_application_does_not_count() -> None:
    flow, scheme = make_flow()
    flow.ack(range(10, 100))  # all within the first tick: 100 packets
    flow.wait(60)
    numbers = flow.send(10)
    assert bytes_per_tick(scheme) == pytest.approx(14_250)  # 7/8 x 2000 + 1/8 x 100000
    flow.wait()
    flow.ack(numbers)
    assert bytes_per_tick(scheme) == pytest.approx(14_250)


def test_an_application_limited_tick_can_only_raise_the_average() -> None:
    flow, scheme = make_flow()
    flow.ack(range(10, 100))
    flow.ledger.mark_app_limited()
    numbers = flow.send(31)
    for number in numbers[:10]:
        flow.wait(0.021)
        flow.ack([number])
    assert bytes_per_tick(scheme) == pytest.approx(14_250)  # 7/8 x 2000 + 1/8 x 100000, and then one packet a tick
    flow.ack(numbers[10:])
    flow.wait(0.021)
    flow.ledger.mark_app_limited()
    flow.ack(flow.send(1))
    assert bytes_per_tick(scheme) == pytest.approx(15_218.75)  # 7/8 x 14250 + 1/8 x 22000


def test_an_outage_takes_the_window_down_to_two_packets() -> None:
    flow, scheme = make_flow()
    flow.wait(0.9)
    flow.lose(range(10, 20), is_persistent_congestion=True)  # sent 1 s ago: 50 ticks of nothing
    assert bytes_per_tick(scheme) == pytest.approx(2000 * (7 / 8) ** 50)
    assert scheme.cwnd_bytes == 2 * MSS


def test_after_a_silence_an_ack_lets_two_packets_leave_whatever_is_in_flight() -> None:
    flow, scheme = make_flow()
    flow.wait(0.121)  # more than five ticks and a round trip
    flow.ack(range(10, 11))
    assert flow.ledger.bytes_in_flight == 89 * MSS
    assert scheme.cwnd_bytes == 91 * MSS
    flow.lose(range(11, 98))
    assert scheme.cwnd_bytes < 10 * MSS  # two packets are in flight: less than the forecast


def test_five_ticks_or_a_round_trip_are_no_silence() -> None:
    for rtt_s, silence_s in ((0.05, 0.119), (0.3, 0.299)):
        scheme = SproutEwma(max_datagram_bytes=MSS, rng=random.Random(1))
        flow = Flow(scheme)
        flow.send(100)
        flow.wait()
        flow.ack(range(10), rtt_s=rtt_s)
        flow.wait(silence_s)
        flow.ack(range(10, 11), rtt_s=rtt_s)
        assert scheme.cwnd_bytes < flow.ledger.bytes_in_flight


def test_fills_the_link_with_a_hundred_milliseconds_in_flight() -> None:
    result = run_flow(SproutEwma(max_datagram_bytes=1350, rng=random.Random(1)), duration_s=20)
    # The window is 100 ms of the link's rate: 40 ms of propagation and 60 ms of queue.
    assert result.utilisation > 0.95
    assert 0.050 < result.queueing_delay.p50_s < 0.062
    assert result.queueing_delay.p95_s < 0.070


def test_sends_on_at_once_after_an_outage() -> None:
    scheme = SproutEwma(max_datagram_bytes=1350, rng=random.Random(1))
    # 0 where the lost flight stood against the window: nothing left before the next probe.
    assert Outage(begins_s=5, queue_packets=30).rate_mbit_per_s(scheme, since_s=1, until_s=3) > 7.5


def test_a_link_of_fewer_than_a_packet_in_100_ms_is_not_flooded() -> None:
    link = Link(constant_rate_opportunities_ms(0.1), queue=QueueLimit(packets=100), delay_s=0.020)
    simulation = Simulation(SproutEwma(max_datagram_bytes=1350, rng=random.Random(1)), link, return_delay_s=0.020)
    simulation.run_until(30)
    delays = simulation.result().queueing_delay
    assert delays is not None
    assert delays.p95_s < 0.3  # it was 11 s where each of its ACKs, 120 ms apart, was one after a silence
