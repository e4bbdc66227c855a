"""Westwood+ against numbers worked by hand from its filter and its answer to a loss, and on a link with random loss."""

from __future__ import annotations

import random

import pytest

from cc.core.base import SenderScheme
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.sender.newreno import NewReno
from cc.sender.westwood import BandwidthFilter, Westwood
from cc.simulation import Simulation
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import run_flow

PACKET_BYTES = 1350


def test_bandwidth_is_what_was_acknowledged_in_an_interval_longer_than_an_rtt() -> None:
    bandwidth = BandwidthFilter()
    for now_s in (1.0, 1.0625, 1.125):
        bandwidth.on_ack(1000, rtt_s=0.125, now_s=now_s)
    assert bandwidth.bytes_per_s is None  # 0.125 s are not longer than 0.125 s
    bandwidth.on_ack(9000, rtt_s=0.125, now_s=1.25)
    assert bandwidth.bytes_per_s == pytest.approx(3000 / 0.25)


def test_intervals_last_fifty_milliseconds_at_least() -> None:
    bandwidth = BandwidthFilter()
    for now_s in (1.0, 1.02, 1.04):
        bandwidth.on_ack(1000, rtt_s=0.001, now_s=now_s)
    assert bandwidth.bytes_per_s is None
    bandwidth.on_ack(1000, rtt_s=0.001, now_s=1.06)
    assert bandwidth.bytes_per_s == pytest.approx(3000 / 0.06)


def test_bandwidth_is_smoothed_twice() -> None:
    bandwidth = BandwidthFilter()
    for now_s, acked_bytes in ((0.0, 1000), (1.0, 1800), (2.0, 1800), (3.0, 0)):
        bandwidth.on_ack(acked_bytes, rtt_s=0.5, now_s=now_s)
    # samples 1000, 1800, 1800: once 1000, 1100, 1187.5; twice 1000, 1012.5, 1012.5 * 7/8 + 1187.5/8
    assert bandwidth.bytes_per_s == pytest.approx(1034.375)


def steady_flow(*, packets_per_ack: int) -> tuple[Flow, Westwood]:
    """One packet each 10 ms over a path of 100 ms: 100 kB/s, 10 packets in flight, of a window that is larger."""
    scheme = Westwood(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    for tick in range(800):
        flow.send(1)
        if tick >= 10 and tick % packets_per_ack == 0:
            flow.ack(range(flow.next_number - 10 - packets_per_ack, flow.next_number - 10), rtt_s=0.1)
        flow.wait(0.01)
    return flow, scheme


@pytest.mark.parametrize(("packets_per_ack", "expected_packets"), [(1, 10.5), (4, 12)])
def test_a_loss_leaves_bandwidth_times_the_smallest_rtt(packets_per_ack: int, expected_packets: float) -> None:
    flow, scheme = steady_flow(packets_per_ack=packets_per_ack)
    assert scheme.cwnd_bytes > 20 * MSS
    flow.lose(flow.send(1))
    # 100 kB/s * 0.1 s, and half an ACK
    assert scheme.cwnd_bytes == pytest.approx(expected_packets * MSS, rel=0.03)
    assert scheme.ssthresh_bytes == scheme.cwnd_bytes


def test_a_window_that_is_smaller_hardly_shrinks() -> None:
    flow, scheme = steady_flow(packets_per_ack=1)
    flow.lose(flow.send(1), is_persistent_congestion=True)
    flow.wait()
    flow.ack(flow.send(1), rtt_s=0.1)
    assert scheme.cwnd_bytes == 3 * MSS
    flow.wait()
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 3 * MSS - 1


def test_without_an_estimate_a_loss_halves_the_window() -> None:
    scheme = Westwood(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 5 * MSS


def goodput_with_random_loss(scheme: SenderScheme) -> float:
    link = Link(
        constant_rate_opportunities_ms(24),
        queue=QueueLimit(packets=300),
        delay_s=0.020,
        loss_ratio=0.01,
        rng=random.Random(1),
    )
    simulation = Simulation(scheme, link, return_delay_s=0.020)
    simulation.run_until(30)
    return simulation.result().goodput_bits_per_s


def test_random_loss_costs_it_much_less_than_newreno() -> None:
    # The sources' own figure: several times NewReno's goodput where losses are not congestion.
    westwood, newreno = (
        goodput_with_random_loss(scheme(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)))
        for scheme in (Westwood, NewReno)
    )
    assert westwood > 2.5 * newreno


def test_fills_a_clean_link_with_less_queue_than_newreno() -> None:
    westwood, newreno = (
        run_flow(scheme(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), duration_s=30)
        for scheme in (Westwood, NewReno)
    )
    assert westwood.utilisation > 0.9
    # It empties the queue after each loss, where half of 87 + 300 packets keeps 107 in it.
    assert 0.04 < westwood.queueing_delay.mean_s < 0.85 * newreno.queueing_delay.mean_s
