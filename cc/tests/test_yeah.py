"""YeAH against numbers worked by hand from its paper's section 2."""

from __future__ import annotations

import pytest

from cc.sender.yeah import Yeah
from cc.tests.flow import MSS, Flow, flow_at


def flow_of(packets: int) -> tuple[Flow, Yeah]:
    """A base RTT of 100 ms is known, nothing queues."""
    flow, scheme = flow_at(Yeah, packets)
    flow.whole_window(rtt_s=0.1)
    scheme._set_window(packets * MSS)
    return flow, scheme


def round_trip(flow: Flow, scheme: Yeah, *, rtt_s: float) -> float:
    """Packets by which the window changed."""
    before = scheme.cwnd_bytes
    flow.whole_window(rtt_s=rtt_s)
    return (scheme.cwnd_bytes - before) / MSS


def test_a_short_queue_lets_it_grow_as_scalable() -> None:
    flow, scheme = flow_of(500)
    assert round_trip(flow, scheme, rtt_s=0.105) == pytest.approx(5)  # a hundredth; 24 packets queue


def test_a_delay_of_an_eighth_of_the_base_makes_it_reno() -> None:
    flow, scheme = flow_of(400)
    round_trip(flow, scheme, rtt_s=0.115)  # 52 packets queue, but 0.15 > 1/8
    assert round_trip(flow, scheme, rtt_s=0.115) == pytest.approx(1)


def test_gives_back_what_queued_above_80_packets() -> None:
    flow, scheme = flow_of(1000)
    # 1000 (1 - 100/110) = 90.9 packets queue; the round trip itself added Scalable's 10.
    assert round_trip(flow, scheme, rtt_s=0.110) == pytest.approx(10 - 90.909, abs=0.01)


def test_gives_back_no_more_than_half_and_nothing_below_what_reno_would_have() -> None:
    flow, scheme = flow_of(1000)
    assert round_trip(flow, scheme, rtt_s=0.3) == pytest.approx(10 - 505)
    # Reno's count began at half of 1010, where the window is, and grows by one in each round trip.
    changes = [round_trip(flow, scheme, rtt_s=0.3) for _ in range(3)]
    assert changes == pytest.approx([0, 1, 1], abs=0.01)


def test_a_loss_takes_what_queued_within_an_eighth_and_half() -> None:
    for queued, kept in ((5, 437.5), (75, 425), (300, 250)):
        flow, scheme = flow_of(500)
        scheme._backlog.packets = queued
        flow.lose(flow.send(1))
        assert scheme.cwnd_bytes == kept * MSS


def test_beside_greedy_flows_a_loss_takes_half() -> None:
    flow, scheme = flow_of(400)
    for _ in range(16):
        round_trip(flow, scheme, rtt_s=0.115)
    scheme._set_window(400 * MSS)
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 200 * MSS
