"""Flights that are built together are those that aioquic builds packet by packet, to the byte."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import cast

import pytest
from aioquic.quic.packet import QuicPacketType
from aioquic.quic.packet_builder import QuicDeliveryState, QuicPacketBuilder, QuicSentPacket
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStreamSender
from aioquic.tls import Epoch
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from cc.core.base import SenderScheme
from cc.registry import scheme
from transport.aioquic_adapter import acked_runs, connection_guard, connection_path, recovery, withheld
from transport.aioquic_adapter.fast_flights import MOST_LEAD_BYTES
from transport.aioquic_adapter.flight_packet import AnySentPacket, FlightPacket
from transport.aioquic_adapter.recovery import RTT_ESTIMATE
from transport.aioquic_adapter.scheme_pacer import SchemePacer
from transport.aioquic_adapter.send_buffer import SendBuffer
from transport.aioquic_adapter.stream_run import StreamRun
from transport.aioquic_adapter.stream_sender import PiecewiseSender
from transport.tests.busy_conversation import BusyConversation, same_numbers_again
from transport.tests.conversation import Conversation

SCHEMES = ("newreno", "cubic", "bbr", "vegas", "pcc-vivace")
"""None whose window outgrows what one key is for here: a path without a bottleneck would take two in a round trip."""


def make(name: str, seed: int) -> SenderScheme:
    """A scheme that draws the same random numbers for the same seed."""
    return scheme(name).make_sender(max_datagram_bytes=1200, rng=random.Random(seed))


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packets are withheld, keys change, and the client moves, many times in a conversation."""
    monkeypatch.setattr(withheld, "FIRST_PERIOD_PACKETS", 16)
    monkeypatch.setattr(withheld, "LONGEST_PERIOD_PACKETS", 32)
    monkeypatch.setattr(connection_guard, "PACKETS_PER_KEY", 500)
    monkeypatch.setattr(connection_path, "MOVES_BURST", 1000)


def converse(name: str, seed: int, *, loss: float, movement: float, is_fast: bool) -> BusyConversation:
    """Until all has arrived; where it is not fast, aioquic writes all packets and books all ACKs."""
    with same_numbers_again(seed), pytest.MonkeyPatch.context() as patch:
        if not is_fast:
            patch.setattr(recovery, "take_acked", lambda ack_rangeset, space: ([], space.sent_packets))
        conversation = BusyConversation(
            partial(make, name, seed),
            seed=seed,
            loss=loss,
            jitter_s=0.002,
            movement=movement,
            is_fast=is_fast,
        )
        conversation.run_until(0.6)
        conversation.calm_down()
    return conversation


@settings(max_examples=8, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    name=st.sampled_from(SCHEMES),
    seed=st.integers(0, 2**32),
    loss=st.sampled_from([0.0, 0.01, 0.1]),
    movement=st.sampled_from([0.0, 0.0, 0.02]),
)
def test_all_that_leaves_is_what_aioquic_would_have_sent(name: str, seed: int, loss: float, movement: float) -> None:
    fast, slow = (converse(name, seed, loss=loss, movement=movement, is_fast=is_fast) for is_fast in (True, False))
    assume(Epoch.ONE_RTT in fast.quic._spaces)  # or all that the client sent so far was lost
    for one, other in zip(fast.plaintexts, slow.plaintexts, strict=True):
        assert one == other
    assert (fast.now_s, fast.arrived, fast.written) == (slow.now_s, slow.arrived, slow.written)
    assert fast.server.guard.withheld._numbers == slow.server.guard.withheld._numbers
    assert fast.server.scheme.cwnd_bytes == slow.server.scheme.cwnd_bytes
    assert all(getattr(fast.quic._loss, each) == getattr(slow.quic._loss, each) for each in RTT_ESTIMATE)
    assert list(fast.quic._spaces[Epoch.ONE_RTT].sent_packets) == list(slow.quic._spaces[Epoch.ONE_RTT].sent_packets)
    for count in ("bytes_in_flight", "packets_in_flight", "bytes_sent_total", "delivered_bytes", "lost_bytes_total"):
        assert getattr(fast.server.ledger, count) == getattr(slow.server.ledger, count)
    assert fast.end is None
    assert all(fast.arrived[each] == fast.written[each] for each in fast.whole() if fast.written[each])


def test_an_ack_tells_a_stream_once_and_leaves_aioquic_the_round_trip_and_other_packets() -> None:
    told: list[tuple[int, int]] = []
    sender = QuicStreamSender(stream_id=0, writable=True)
    sender.on_data_delivery = lambda delivery, start, stop, fin: told.append((start, stop))  # type: ignore[method-assign]
    space = QuicPacketSpace()
    sent: dict[int, AnySentPacket] = space.sent_packets  # type: ignore[assignment]
    for number in range(100):
        packet = sent[number] = FlightPacket(number, 1200, sender, 1000 * number, 1000 * (number + 1), False)
        packet.sent_time = float(number)
    only_ack = sent[100] = QuicSentPacket(
        Epoch.ONE_RTT, False, False, False, 100, QuicPacketType.ONE_RTT, sent_time=100.0, sent_bytes=40
    )
    space.ack_eliciting_in_flight = 100
    booked, unbooked = acked_runs.take_acked(RangeSet([range(10, 101)]), space)
    assert booked == list(range(10, 100))
    assert told == [(10_000, 100_000)]
    assert list(sent) == list(range(10))
    assert list(unbooked) == [99, 100]
    mark = unbooked[99]
    assert (mark.sent_time, mark.is_ack_eliciting, mark.in_flight, mark.delivery_handlers) == (99.0, True, False, ())
    assert unbooked[100] is only_ack
    assert space.ack_eliciting_in_flight == 11  # aioquic counts the mark


@pytest.mark.parametrize("is_flight", [True, False])
@pytest.mark.parametrize("is_backwards", [True, False])
def test_what_arrived_behind_a_gap_is_not_kept(*, is_flight: bool, is_backwards: bool) -> None:
    sender = QuicStreamSender(stream_id=0, writable=True)
    PiecewiseSender.take_over(sender)
    buffer = cast("SendBuffer", sender._buffer)
    for number in range(10):
        sender.write(bytes([number]) * 10_000)
    space = QuicPacketSpace()
    packets = [FlightPacket(number, 1200, sender, 1000 * number, 1000 * (number + 1), False) for number in range(100)]
    arrived = [packet for packet in packets if packet.packet_number != 10]
    for packet in reversed(arrived) if is_backwards else arrived:
        if is_flight:
            packet.sent_time = float(packet.packet_number)
            space.sent_packets[packet.packet_number] = packet  # type: ignore[assignment]
            space.ack_eliciting_in_flight += 1
            acked_runs.take_acked(RangeSet([range(packet.packet_number, packet.packet_number + 1)]), space)
        else:
            sender.on_data_delivery(QuicDeliveryState.ACKED, packet.start, packet.stop, False)
    assert (len(buffer), buffer.kept_bytes) == (90_000, 10_000)
    assert buffer[0:1000] == bytes([1]) * 1000


def counting(count: Callable[[int], None]) -> Callable[[StreamRun, int], None]:
    """`StreamRun.write` that is counted."""
    write = StreamRun.write

    def counted(run: StreamRun, packets: int) -> None:
        count(packets)
        write(run, packets)

    return counted


def test_most_of_a_download_is_written_in_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    monkeypatch.setattr(StreamRun, "write", counting(runs.append))
    conversation = Conversation(partial(make, "cubic", 1), rng=random.Random(1))
    conversation.run(500_000)
    assert sum(runs) > 0.8 * conversation.quic._packet_number
    assert any(
        isinstance(packet, FlightPacket) for packet in conversation.quic._spaces[Epoch.ONE_RTT].sent_packets.values()
    )


def ready_to_send(length_bytes: int) -> Conversation:
    """A server that may send much of one stream, from an offset of four bytes on."""
    conversation = Conversation(partial(make, "cubic", 1), rng=random.Random(1))
    conversation.run(100_000)
    quic = conversation.quic
    conversation.now_s += 1.0
    quic._remote_max_datagram_frame_size = 65_536
    quic._spaces[Epoch.ONE_RTT].ack_at = None
    stream_id = quic.get_next_available_stream_id(is_unidirectional=True)
    quic._get_or_create_stream_for_send(stream_id).sender.write(bytes(20_000))
    stream = quic._streams[stream_id]
    stream.sender._buffer_start = stream.sender._buffer_stop = stream.sender.highest_offset = 20_000
    stream.sender._buffer.clear()
    stream.sender._pending.subtract(0, 20_000)
    quic.send_stream_data(stream_id, bytes(length_bytes))
    return conversation


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of packets that aioquic begins to build by itself."""
    numbers: list[int] = []
    start_packet = QuicPacketBuilder.start_packet

    def counted(builder: QuicPacketBuilder, *arguments: object) -> None:
        numbers.append(builder.packet_number)
        start_packet(builder, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(QuicPacketBuilder, "start_packet", counted)
    return numbers


def test_a_stamp_and_an_ack_lead_a_run(monkeypatch: pytest.MonkeyPatch, started: list[int]) -> None:
    runs: list[int] = []
    conversation = ready_to_send(100_000)
    quic, space = conversation.quic, conversation.quic._spaces[Epoch.ONE_RTT]
    monkeypatch.setattr(StreamRun, "write", counting(runs.append))
    quic.send_datagram_frame(bytes(44))
    largest, space.ack_at = space.largest_received_packet, conversation.now_s
    space.ack_queue = RangeSet([range(largest - 3, largest + 1)])
    first_number = quic._packet_number
    started.clear()
    conversation.server.take_flight(now_s=conversation.now_s)
    assert runs == [quic._packet_number - first_number]
    assert runs[0] >= 8
    assert first_number not in started
    assert space.ack_at is None
    assert not quic._datagrams_pending
    leader = space.sent_packets[first_number]
    assert isinstance(leader, FlightPacket)
    assert leader.ack is not None
    (tell_of_ack, nothing), _ = leader.delivery_handlers
    tell_of_ack(QuicDeliveryState.LOST, *nothing)
    assert len(space.ack_queue) == 1
    tell_of_ack(QuicDeliveryState.ACKED, *nothing)
    assert len(space.ack_queue) == 0


def test_an_ack_that_leads_a_run_does_not_wait_for_the_pacer() -> None:
    conversation = ready_to_send(100_000)
    quic, space, now_s = conversation.quic, conversation.quic._spaces[Epoch.ONE_RTT], conversation.now_s
    pacer = quic._loss._pacer
    assert isinstance(pacer, SchemePacer)
    pacer.pacer.set_rate(1.0, now_s)
    pacer.update_after_sending(2, now_s)
    assert conversation.server.take_flight(now_s=now_s) == []
    largest, space.ack_at = space.largest_received_packet, now_s - 0.001
    space.ack_queue = RangeSet([range(largest, largest + 1)])
    assert len(conversation.server.take_flight(now_s=now_s)) == 1
    assert quic._pacing_at is not None


@pytest.mark.parametrize(
    ("datagram_bytes", "length_bytes", "ranges"),
    [
        pytest.param(44, 900, 1, id="the stream does not fill the packet"),
        pytest.param(MOST_LEAD_BYTES, 100_000, 1, id="a long datagram"),
        pytest.param(44, 100_000, 2, id="gaps in what has arrived, for which a PING asks to be acknowledged"),
    ],
)
def test_other_first_packets_are_left_to_aioquic(
    started: list[int], datagram_bytes: int, length_bytes: int, ranges: int
) -> None:
    conversation = ready_to_send(length_bytes)
    quic, space = conversation.quic, conversation.quic._spaces[Epoch.ONE_RTT]
    quic.send_datagram_frame(bytes(datagram_bytes))
    space.ack_at = conversation.now_s
    space.ack_queue = RangeSet([range(3 * each, 3 * each + 1) for each in range(ranges)])
    first_number = quic._packet_number
    started.clear()
    assert conversation.server.take_flight(now_s=conversation.now_s) != []
    assert started[0] == first_number
