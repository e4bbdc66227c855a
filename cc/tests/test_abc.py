"""ABC's sender against numbers worked by hand from sections 3 and 4 of the paper. A full packet is 1000 bytes."""

from __future__ import annotations

import random
from functools import partial

import pytest

from cc.core.base import AckEvent, EcnCounts, Phase
from cc.links.link import QueueLimit
from cc.links.queueing.accel_brake import AccelBrake
from cc.links.traces.capacity import offered_bytes
from cc.sender.abc import Abc
from cc.simulation import Network, OnOff
from cc.simulation.bottleneck import Carried
from cc.simulation.sources import Source
from cc.tests.flow import MSS, Flow, rtt_state
from cc.tests.marking_link import OPPORTUNITIES_MS, share_link
from cc.tests.sim_flows import LINK_MBIT_PER_S, QUEUE_PACKETS, jain_index, run_flow


class MarkedPath(Flow):
    """A flow whose ACKs tell marks, with ten packets in flight."""

    def __init__(self) -> None:
        self.abc = Abc(max_datagram_bytes=MSS, rng=random.Random(1))
        super().__init__(self.abc)
        self.send(10)
        self.wait()

    def mark(self, packets: int, ecn: EcnCounts | None) -> AckEvent | None:
        """The oldest packets in flight are acknowledged, with these marks."""
        numbers = [packet.packet_number for packet in self.ledger.in_flight()][:packets]
        event = self.ledger.on_packets_acked(
            numbers,
            now_s=self.now_s,
            rtt=rtt_state(),
            has_rtt_sample=True,
            cwnd_bytes=self.abc.cwnd_bytes,
            ecn=ecn,
        )
        if event is not None:
            self.abc.on_ack(event)
        return event

    @property
    def w_abc(self) -> float:
        value = self.abc.log_fields()["w_abc_bytes"]
        assert value is not None
        return value

    @property
    def w_nonabc(self) -> float:
        value = self.abc.log_fields()["w_nonabc_bytes"]
        assert value is not None
        return value


def test_an_accelerate_adds_a_packet_and_a_little() -> None:
    path = MarkedPath()
    path.mark(1, EcnCounts(ect1=1))
    assert path.w_abc == pytest.approx(11_100)  # w + 1 + 1/w


def test_a_brake_takes_a_packet_and_adds_a_little() -> None:
    path = MarkedPath()
    path.mark(1, EcnCounts(ect0=1))
    assert path.w_abc == pytest.approx(9_100)  # w - 1 + 1/w
    assert path.abc.cwnd_bytes == 9_100
    assert path.abc.phase is Phase.AVOIDANCE


def test_as_many_accelerates_as_brakes_leave_only_the_additive_increase() -> None:
    path = MarkedPath()
    path.mark(10, EcnCounts(ect0=5, ect1=5))
    assert path.w_abc == pytest.approx(11_000)  # one packet for each window, as all senders: section 3, fairness


def test_accelerates_alone_double_the_window_in_a_round_trip() -> None:
    path = MarkedPath()
    path.mark(10, EcnCounts(ect1=10))
    assert path.w_abc == pytest.approx(20_000)  # 21000, but no more than twice what was in flight


def test_never_falls_below_two_packets() -> None:
    path = MarkedPath()
    for _ in range(4):
        path.mark(10, EcnCounts(ect0=10))
        path.send(10)
        path.wait()
    assert path.w_abc == 2000
    assert path.abc.cwnd_bytes == 2000


def test_without_marks_every_packet_accelerates_and_cubic_rules() -> None:
    path = MarkedPath()
    path.mark(1, None)
    assert path.w_abc == pytest.approx(11_100)
    assert path.w_nonabc == 11_000
    assert path.abc.cwnd_bytes == 11_000
    assert path.abc.phase is Phase.SLOW_START


def test_a_loss_cuts_the_other_window() -> None:
    path = MarkedPath()
    path.mark(2, EcnCounts(ect1=2))
    w_abc = path.w_abc
    newest = path.send(1)
    path.wait()
    path.lose(newest)
    assert path.w_abc == w_abc
    assert path.w_nonabc == pytest.approx(0.7 * 12_000)
    assert path.abc.cwnd_bytes == 8400


def test_a_congestion_mark_is_answered_like_a_loss_once_a_round_trip() -> None:
    path = MarkedPath()
    path.mark(2, EcnCounts(ect1=1, ce=1))
    assert path.w_nonabc == pytest.approx(7000)
    path.mark(2, EcnCounts(ce=2))
    assert path.w_nonabc == pytest.approx(7000)


def test_no_window_is_more_than_twice_what_was_in_flight() -> None:
    path = MarkedPath()
    path.mark(10, EcnCounts(ect1=10))
    path.send(4)
    path.wait()
    path.mark(1, EcnCounts(ect1=1))
    assert path.w_abc == 8000
    assert path.w_nonabc == 8000


def test_a_flight_that_drains_was_as_large_as_when_its_packets_left() -> None:
    path = MarkedPath()
    for _ in range(9):
        path.mark(1, EcnCounts(ect1=1))
    window_bytes = path.w_abc
    path.mark(1, EcnCounts(ect1=1))  # all that is left in flight, but it left as the tenth
    assert path.w_abc > window_bytes


def test_an_unused_window_brakes_but_does_not_grow() -> None:
    path = MarkedPath()
    path.mark(10, EcnCounts(ect1=10))
    path.ledger.mark_app_limited()
    path.send(4)
    path.wait()
    path.mark(2, EcnCounts(ect1=1, ect0=1))
    assert path.w_abc == 19_000


def share_marking_link(
    schemes: list[Abc], *, starts_s: tuple[float, ...], duration_s: float, source: Source | None = None
) -> Network:
    queue = AccelBrake[Carried](
        QueueLimit(packets=QUEUE_PACKETS), offered_bytes=partial(offered_bytes, OPPORTUNITIES_MS)
    )
    return share_link(queue, schemes, starts_s=starts_s, duration_s=duration_s, source=source)


def test_fills_a_link_that_marks_with_next_to_no_queue() -> None:
    network = share_marking_link([Abc(max_datagram_bytes=1350, rng=random.Random(1))], starts_s=(0,), duration_s=20)
    record = network.flows[0].record
    delays = record.delays(1, 20)
    assert delays is not None
    assert record.wire_bytes(1, 20) * 8e-6 / 19 > 0.95 * LINK_MBIT_PER_S  # eta is 0.98
    assert delays.p95_s < 0.060  # d_t is 50 ms


def test_flows_share_a_link_that_marks() -> None:
    schemes = [Abc(max_datagram_bytes=1350, rng=random.Random(seed)) for seed in (1, 2)]
    network = share_marking_link(schemes, starts_s=(0, 10), duration_s=60)
    rates = [flow.record.wire_bytes(30, 60) for flow in network.flows]
    assert jain_index(rates) > 0.95


def test_bursts_find_the_window_that_the_last_one_left() -> None:
    scheme = Abc(max_datagram_bytes=1350, rng=random.Random(1))
    bursts = OnOff(on_bytes=250_000, off_s=2.0)
    share_marking_link([scheme], starts_s=(0,), duration_s=20, source=bursts)
    # A round trip of 40 ms is 89 packets. Without pauses and start a burst takes 83 + 40 ms.
    assert len(bursts.segment_times_s) == 10
    assert scheme.cwnd_bytes > 60 * 1350


def test_is_cubic_where_nothing_marks() -> None:
    result = run_flow(Abc(max_datagram_bytes=1350, rng=random.Random(1)), duration_s=30)
    assert result.utilisation > 0.95
    assert result.queueing_delay.mean_s > 0.050
