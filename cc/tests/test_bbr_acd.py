"""BBR-ACD's second opinion on losses; all else is BBR v1's.

Packets are of 1000 bytes, round trips of 0.1 s, the bandwidth is 200,000 bytes/s and the BDP 20 packets.
"""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.sender.bbr.bbr import Bbr, State
from cc.sender.bbr.bbr_acd import BbrAcd
from cc.simulation import Simulation
from cc.tests.even_link import (
    EVEN_MSS,
    EVEN_RATE_BYTES_PER_S,
    FULL_QUEUE_S,
    RTT_S,
    at_24_megabits,
    even_link,
)
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S


def flow_in_probe_bw() -> tuple[Flow, BbrAcd]:
    scheme = BbrAcd(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    for _ in range(5):
        numbers = flow.send(20)
        flow.wait(0.1)
        flow.ack(numbers)
    assert scheme.state is State.PROBE_BW
    return flow, scheme


@pytest.mark.parametrize(
    ("rtts_s", "expected"),
    [
        ([0.1, 0.1, 0.1], False),  # steady, but at the minimum
        ([0.15, 0.1509, 0.1515], True),  # a standing queue
        ([0.15, 0.1509], False),  # two are not enough
        ([0.15, 0.1511, 0.1501], False),  # they differ by more than 1 ms
        ([0.15, 0.1505, 0.1, 0.15, 0.1505], False),  # not in a row
        ([0.199], False),
        ([0.201], True),  # more than twice the minimum
    ],
)
def test_congestion_is_a_long_or_a_steady_round_trip(rtts_s: list[float], expected: bool) -> None:
    flow, scheme = flow_in_probe_bw()
    for rtt_s in rtts_s:
        numbers = flow.send(1)
        flow.wait(0.01)
        flow.ack(numbers, rtt_s=rtt_s)
    assert scheme.is_congested is expected


def test_a_loss_without_congestion_takes_off_the_lost_packets() -> None:
    flow, scheme = flow_in_probe_bw()
    numbers = flow.send(20)
    flow.wait(0.1)
    flow.ack(numbers[2:4])
    before = scheme.cwnd_bytes
    flow.lose(numbers[:2])
    assert (scheme.cwnd_bytes, scheme.phase) == (before - 2 * MSS, Phase.RECOVERY)
    flow.wait(0.01)
    flow.ack(numbers[4:6])
    assert scheme.cwnd_bytes > 2 * 20 * MSS  # still at its target of 2 BDP and more


def test_a_loss_with_congestion_halves_the_window_at_every_ack_of_a_round_trip() -> None:
    flow, scheme = flow_in_probe_bw()
    numbers = flow.send(40)
    flow.wait(0.25)
    flow.ack(numbers[2:4], rtt_s=0.25)
    before = scheme.cwnd_bytes
    assert before > 40 * MSS
    flow.lose(numbers[:2])
    # Half of more than 40 packets, but no more than a BDP and three quanta of a packet at 148,500 bytes/s or two.
    assert 20 * MSS <= scheme.cwnd_bytes <= 26 * MSS
    windows = [scheme.cwnd_bytes]
    for first in range(4, 12, 2):
        flow.wait(0.001)
        flow.ack(numbers[first : first + 2], rtt_s=0.25)
        windows.append(scheme.cwnd_bytes)
    assert windows == [max(windows[0] // 2**acks, 4 * MSS) for acks in range(5)]
    flow.wait(0.001)
    after = flow.send(1)
    flow.wait(0.1)
    flow.ack(after)
    assert scheme.cwnd_bytes >= before  # recovery is over


def test_a_full_queue_costs_fewer_losses_than_with_bbr() -> None:
    lost = {}
    for make in (Bbr, BbrAcd):
        link = even_link(queue_packets=15)
        sender = make(max_datagram_bytes=EVEN_MSS, rng=random.Random(1))
        simulation = Simulation(sender, link, return_delay_s=DELAY_S)
        simulation.run_until(20.0)
        result = simulation.result()
        assert result.goodput_bits_per_s > 0.85 * 8 * EVEN_RATE_BYTES_PER_S
        lost[make] = result.packets_lost
    assert lost[BbrAcd] < lost[Bbr]


def test_fills_a_clean_link() -> None:
    result = at_24_megabits(BbrAcd)
    assert result.utilisation > 0.94
    assert result.queueing_delay.mean_s < RTT_S < FULL_QUEUE_S / 3
