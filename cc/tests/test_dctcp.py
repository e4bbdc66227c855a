"""DCTCP by numbers worked by hand (RFC 8257 section 3.3), and over its queue; without marks it is NewReno."""

from __future__ import annotations

import random

import pytest

from cc.core.base import EcnCounts
from cc.links.link import QueueLimit
from cc.links.queueing.ce_threshold import THRESHOLD_PACKETS, CeThreshold
from cc.links.queueing.discipline import Mark, QueuedPacket
from cc.sender.dctcp import Dctcp
from cc.sender.newreno import NewReno
from cc.simulation.bottleneck import Carried
from cc.tests.flow import MSS, Flow, flow_at
from cc.tests.marking_link import share_link
from cc.tests.sim_flows import LINK_MBIT_PER_S, QUEUE_PACKETS, jain_index


def round_trip(flow: Flow, *, marked: int | None) -> None:
    """A whole window, of whose packets so many are marked; None: nothing is said of marks."""
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers, ecn=None if marked is None else EcnCounts(ce=marked))


def test_alpha_begins_at_one_and_takes_a_sixteenth_of_each_share() -> None:
    flow, scheme = flow_at(Dctcp, 20)
    round_trip(flow, marked=0)
    assert scheme.alpha == pytest.approx(15 / 16)
    round_trip(flow, marked=21)  # all of a window that has grown by one
    assert scheme.alpha == pytest.approx(15 / 16 + 1 / 16 * 1 / 16)


def test_a_marked_round_trip_takes_half_of_alpha() -> None:
    flow, scheme = flow_at(Dctcp, 20)
    scheme.alpha = 0.2
    round_trip(flow, marked=5)  # a quarter: alpha 0.2 + (0.25 - 0.2) / 16 = 0.203125; 21 packets had been reached
    assert scheme.alpha == pytest.approx(0.203125)
    assert scheme.cwnd_bytes == pytest.approx(21 * MSS * (1 - 0.203125 / 2), abs=1)
    assert scheme.window_resets == 1


def test_marks_cut_once_a_round_trip() -> None:
    flow, scheme = flow_at(Dctcp, 20)
    numbers = flow.fill_window()
    flow.wait()
    for number in numbers:
        flow.ack([number], ecn=EcnCounts(ce=1))
    assert scheme.window_resets == 1


@pytest.mark.parametrize("is_loss_first", [True, False])
def test_a_flight_with_a_loss_and_marks_is_halved_once(is_loss_first: bool) -> None:
    flow, scheme = flow_at(Dctcp, 20)
    scheme.alpha = 0.2
    lost, *marked = flow.fill_window()
    flow.wait()
    if is_loss_first:
        flow.lose([lost])
    flow.ack(marked, ecn=EcnCounts(ce=10))
    if not is_loss_first:
        assert scheme.cwnd_bytes > 15 * MSS
        flow.lose([lost])
    # growth of less than a packet in the second order, by the packets that were acknowledged
    assert scheme.cwnd_bytes == pytest.approx(10 * MSS, abs=MSS / 2)
    assert scheme.alpha == pytest.approx(0.2 + (10 / 19 - 0.2) / 16)


def test_marks_of_the_flight_after_a_loss_cut_again() -> None:
    flow, scheme = flow_at(Dctcp, 20)
    scheme.alpha = 0.2
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])
    flow.ack(numbers[1:])
    flow.wait(0.01)
    round_trip(flow, marked=5)
    assert scheme.window_resets == 2
    assert scheme.cwnd_bytes < 10 * MSS


def test_a_mark_ends_slow_start() -> None:
    scheme = Dctcp(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    round_trip(flow, marked=10)
    assert scheme.ssthresh_bytes == scheme.cwnd_bytes == 10 * MSS  # twice ten, of which alpha takes a half


def test_without_marks_it_is_newreno() -> None:
    flows = [flow_at(make, 10)[0] for make in (Dctcp, NewReno)]
    for flow in flows:
        for turn in range(20):
            if turn % 6 == 5:
                flow.lose_one_window()
            round_trip(flow, marked=None)
    assert flows[0].scheme.cwnd_bytes == flows[1].scheme.cwnd_bytes


def test_the_queue_marks_what_finds_more_than_its_threshold_with_the_packet_being_sent() -> None:
    queue: CeThreshold[int] = CeThreshold(QueueLimit(packets=4), threshold_packets=2)
    assert [queue.enter(QueuedPacket(number, 1500, 0.0), now_s=0.0) for number in range(5)] == [True] * 4 + [False]
    assert [packet.mark for packet in queue.withdraw()] == [None, None, Mark.CONGESTION, Mark.CONGESTION]


def make_schemes(count: int) -> list[Dctcp]:
    return [Dctcp(max_datagram_bytes=1350, rng=random.Random(seed)) for seed in range(count)]


def test_fills_the_link_with_a_queue_of_about_the_threshold() -> None:
    queue = CeThreshold[Carried](QueueLimit(packets=QUEUE_PACKETS))
    network = share_link(queue, make_schemes(1), starts_s=(0,), duration_s=20)
    record = network.flows[0].record
    delays = record.delays(5, 20)
    assert delays is not None
    assert record.wire_bytes(5, 20) * 8e-6 / 15 > 0.95 * LINK_MBIT_PER_S
    threshold_s = THRESHOLD_PACKETS * 1504 * 8 / (LINK_MBIT_PER_S * 1e6)
    assert 0.3 * threshold_s < delays.mean_s < 1.5 * threshold_s
    assert network.flows[0].sender.packets_lost == 0


def test_flows_share_the_link() -> None:
    queue = CeThreshold[Carried](QueueLimit(packets=QUEUE_PACKETS))
    network = share_link(queue, make_schemes(2), starts_s=(0, 5), duration_s=30)
    assert jain_index([flow.record.wire_bytes(15, 30) for flow in network.flows]) > 0.95
