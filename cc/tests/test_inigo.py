"""Inigo against numbers worked by hand from tcp_inigo.c, and its queue of 17 % of the RTT on a simulated link."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase, SenderScheme
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.sender.inigo import Inigo
from cc.simulation import Simulation, SimulationResult
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import LINK_MBIT_PER_S, jain_index, run_flow, share_link

PACKET_BYTES = 1350
LATE_S = 0.117  # of 100 ms: more than 1 + 174/1024


def round_trip(flow: Flow, *, rtt_s: float, packets_per_ack: int = 10) -> None:
    flow.wait(0.001)  # packets that leave at the time of a reduction left before it
    numbers = flow.fill_window()
    flow.wait()
    for first in range(0, len(numbers), packets_per_ack):
        flow.ack(numbers[first : first + packets_per_ack], rtt_s=rtt_s)


def flow_of(packets: int) -> tuple[Flow, Inigo]:
    """Slow start from 10 packets, without a late RTT, to at least so many."""
    scheme = Inigo(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    while scheme.cwnd_bytes < packets * MSS:
        round_trip(flow, rtt_s=0.1)
    return flow, scheme


def ssthresh_packets(scheme: Inigo) -> float:
    ssthresh = scheme.log_fields()["ssthresh_bytes"]
    assert ssthresh is not None
    return ssthresh / MSS


def test_slow_start_doubles_while_no_rtt_is_late() -> None:
    _, scheme = flow_of(160)
    assert (scheme.cwnd_bytes, scheme.phase, scheme.alpha) == (160 * MSS, Phase.SLOW_START, 0)


def test_an_rtt_is_late_beyond_1_17_times_the_smallest() -> None:
    flow, scheme = flow_of(80)
    round_trip(flow, rtt_s=0.116)  # 0.1 * (1 + 174/1024) = 0.11699
    assert scheme.alpha == 0
    round_trip(flow, rtt_s=LATE_S)
    assert scheme.alpha > 0


def test_a_late_rtt_ends_slow_start_after_eight_observations() -> None:
    flow, scheme = flow_of(80)  # 1 + 2 + 4 ACKs
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers[:10], rtt_s=LATE_S)
    # The eighth observation: alpha = floor(1 * 64 / 8) = 8/1024; 80 * 8/2048 is less than a packet.
    assert scheme.alpha == 8 / 1024
    assert (scheme.cwnd_bytes, scheme.phase) == (80 * MSS, Phase.AVOIDANCE)
    flow.ack(numbers[10:], rtt_s=0.1)  # sent before
    assert scheme.cwnd_bytes == 80 * MSS


def test_seven_observations_do_not_end_slow_start() -> None:
    flow, scheme = flow_of(20)
    for _ in range(6):
        flow.ack(flow.send(1), rtt_s=LATE_S)
    assert scheme.alpha == 0
    flow.ack(flow.send(1), rtt_s=LATE_S)
    assert scheme.alpha > 0


def test_alpha_is_the_share_of_late_rtts_smoothed() -> None:
    flow, scheme = flow_of(80)
    alphas = []
    for _ in range(4):
        round_trip(flow, rtt_s=LATE_S, packets_per_ack=1)
        alphas.append(round(scheme.alpha * 1024))
    # First floor(1 * 64/8) = 8, of one late RTT of eight. Then all are late: 8 goes to 0 (8/16 is less than 1), + 64;
    # 64 - 4 + 64 = 124; 124 - 7 + 64 = 181.
    assert alphas == [8, 64, 124, 181]


def test_alpha_falls_to_nothing_where_no_rtt_is_late() -> None:
    flow, scheme = flow_of(80)
    round_trip(flow, rtt_s=LATE_S, packets_per_ack=1)
    round_trip(flow, rtt_s=LATE_S, packets_per_ack=1)
    assert scheme.alpha * 1024 == 64
    # The next look finds 79 late RTTs of 80: 64 - 4 + floor(79 * 64/80) = 123. Then a sixteenth less each time.
    for expected in (123, 116, 109):
        round_trip(flow, rtt_s=0.1, packets_per_ack=1)
        assert round(scheme.alpha * 1024) == expected


def flow_with_alpha() -> tuple[Flow, Inigo]:
    """Late for so long that alpha is 961/1024: there a sixteenth of it is the most that can be added."""
    flow, scheme = flow_of(160)
    while scheme.alpha * 1024 < 961:
        round_trip(flow, rtt_s=LATE_S, packets_per_ack=1)
    return flow, scheme


def test_a_reduction_takes_half_of_alpha_of_one_group_of_ten() -> None:
    flow, scheme = flow_with_alpha()
    window = scheme.cwnd_bytes // MSS
    alpha = round(scheme.alpha * 1024)
    alpha = alpha - alpha // 16 + 64
    round_trip(flow, rtt_s=LATE_S, packets_per_ack=1)
    groups = (window + 9) // 10
    assert scheme.cwnd_bytes // MSS == window - (window * alpha // 2048) // groups
    assert 3 <= window - scheme.cwnd_bytes // MSS <= 5  # of half of ten
    assert ssthresh_packets(scheme) == scheme.cwnd_bytes // MSS


def test_a_window_gains_two_packets_when_it_is_acknowledged() -> None:
    flow, scheme = flow_of(80)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers[:10], rtt_s=LATE_S)  # a reduction by nothing: ssthresh is 80 packets
    flow.ack(numbers[10:], rtt_s=0.1)
    flow.wait(0.001)
    acks = 0
    growths: list[tuple[int, int]] = []
    while len(growths) < 3:
        before = scheme.cwnd_bytes // MSS
        flow.ack(flow.send(1), rtt_s=0.1)
        acks += 1
        if scheme.cwnd_bytes // MSS != before:
            growths.append((scheme.cwnd_bytes // MSS, acks))
            acks = 0
    # One packet above ssthresh, then two more for 81 packets acknowledged, and for 83.
    assert growths == [(81, 1), (83, 82), (85, 83)]
    assert scheme.alpha == 0


def test_a_loss_without_late_rtts_takes_nothing() -> None:
    flow, scheme = flow_of(80)
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:8])
    assert (scheme.cwnd_bytes, scheme.phase, scheme.window_resets) == (80 * MSS, Phase.RECOVERY, 0)
    flow.ack(numbers[8:], rtt_s=0.1)
    round_trip(flow, rtt_s=0.1)
    assert scheme.phase is not Phase.RECOVERY
    assert scheme.cwnd_bytes >= 80 * MSS


def test_heavy_loss_halves_the_window() -> None:
    flow, scheme = flow_of(80)
    for _ in range(2):
        numbers = flow.fill_window()
        flow.wait()
        flow.lose(numbers[:40])
        flow.ack(numbers[40:], rtt_s=0.1)
    # The ACK that begins the second round trip finds 40 of 80 lost.
    assert scheme.cwnd_bytes <= 41 * MSS
    assert scheme.window_resets == 1


def test_persistent_congestion_leaves_two_packets() -> None:
    flow, scheme = flow_of(80)
    flow.lose(flow.send(1), is_persistent_congestion=True)
    assert (scheme.cwnd_bytes, scheme.phase) == (2 * MSS, Phase.SLOW_START)
    assert ssthresh_packets(scheme) == 80


def test_fills_the_link_with_a_queue_of_seventeen_percent_of_the_rtt() -> None:
    # 0.17 * 40 ms are 6.8 ms.
    result = run_flow(Inigo(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), duration_s=20)
    assert result.utilisation > 0.93
    assert 0.004 < result.queueing_delay.p50_s < 0.011
    assert result.packets_lost == 0


def simulate(
    scheme: SenderScheme, *, queue_packets: int, loss_ratio: float = 0.0, mbit_per_s: float = LINK_MBIT_PER_S
) -> SimulationResult:
    link = Link(
        constant_rate_opportunities_ms(mbit_per_s),
        queue=QueueLimit(packets=queue_packets),
        delay_s=0.020,
        loss_ratio=loss_ratio,
        rng=random.Random(1),
    )
    simulation = Simulation(scheme, link, return_delay_s=0.020)
    simulation.run_until(15)
    return simulation.result()


def test_a_slow_link_has_a_short_queue_whatever_number_of_packets_an_ack_is_for() -> None:
    # 38 ms where alpha was looked at only when a multiple of ten packets was acknowledged.
    scheme = Inigo(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    delays = simulate(scheme, queue_packets=300, mbit_per_s=8).queueing_delay
    assert delays is not None
    assert delays.p50_s < 0.015


def test_random_loss_does_not_matter() -> None:
    scheme = Inigo(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    result = simulate(scheme, queue_packets=300, loss_ratio=0.02)
    assert result.goodput_bits_per_s > 0.85 * LINK_MBIT_PER_S * 1e6


def test_a_queue_shorter_than_it_wants_is_not_flooded() -> None:
    scheme = Inigo(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    result = simulate(scheme, queue_packets=10)
    assert result.packets_lost < 0.2 * result.packets_sent


@pytest.mark.parametrize("flows", [2, 3])
def test_flows_share_the_link(flows: int) -> None:
    schemes = [Inigo(max_datagram_bytes=PACKET_BYTES, rng=random.Random(seed)) for seed in range(flows)]
    rates = share_link(schemes, starts_s=[5.0 * flow for flow in range(flows)], duration_s=40, since_s=20)
    assert jain_index(rates) > 0.8  # with an ACK for every packet, as in the source, it is 0.71 to 0.98
    assert sum(rates) > 0.97 * LINK_MBIT_PER_S
