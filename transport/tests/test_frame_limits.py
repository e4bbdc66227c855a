"""How much work a datagram may make."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from aioquic.buffer import encode_uint_var
from aioquic.quic import packet
from aioquic.quic.connection import QuicConnectionError
from aioquic.quic.packet import QuicFrameType
from aioquic.quic.rangeset import RangeSet
from aioquic.tls import Epoch

from transport.aioquic_adapter.frame_limits import (
    ACK_FRAMES,
    ACK_RANGES_PER_WORK,
    MOST_ACK_RANGES,
    MOST_WORK,
    STREAM_FRAMES,
    WORK,
)
from transport.aioquic_adapter.payloads import receive_payload
from transport.aioquic_adapter.scheme_controller import MAX_IN_FLIGHT_BYTES
from transport.aioquic_adapter.work_budget import (
    BURST_S,
    DATAGRAM_WORK,
    FIRST_WORK,
    HANDSHAKE_DATAGRAM_WORK,
    PACKET_BYTES,
    STREAM_WORK,
    WORK_BURST,
    WORK_PER_S,
)
from transport.media_server.session_base import MAX_OPEN_REQUESTS
from transport.media_server.work_shares import share_per_s
from transport.tests.conversation import CLIENT_ADDRESS, Conversation

SHORT_HEADER = 0x40
"""The first byte of a packet behind the handshake, without what is random in it (RFC 9000 section 17.3)."""
LONG_HEADER = 0xC0
PING = bytes([QuicFrameType.PING])
HUNDRED = PING * (100 - DATAGRAM_WORK)
"""Behind a short header: a datagram of so much work."""
ACK_OF_PACKET_0 = bytes([QuicFrameType.ACK, 0, 0, 0, 0])
RETIRE_AN_OLD_NUMBER = bytes([QuicFrameType.RETIRE_CONNECTION_ID, 1])
NO_STREAM_DATA = bytes([QuicFrameType.STREAM_BASE | 2, 4, 0])  # stream 4, of no length

NO_DATA = bytes([QuicFrameType.DATAGRAM_WITH_LENGTH, 0])
STOP_STREAM_4 = bytes([QuicFrameType.STOP_SENDING, 4, 0])
CHALLENGE = bytes([QuicFrameType.PATH_CHALLENGE, *bytes(8)])
RESET_STREAM_4 = bytes([QuicFrameType.RESET_STREAM, 4, 0, 0])


def receive(conversation: Conversation, frames: bytes) -> None:
    """One datagram of one packet."""
    assert begins(conversation)
    receive_payload(conversation.quic, frames, now_s=conversation.now_s)


def begins(
    conversation: Conversation, header: int = SHORT_HEADER, *, bytes_sent: int = 0, bytes_in_flight: int = 0
) -> bool:
    """Whether another datagram is read."""
    return conversation.server.frame_limits.begin_datagram(
        header, now_s=conversation.now_s, bytes_sent=bytes_sent, bytes_in_flight=bytes_in_flight
    )


def rest(conversation: Conversation) -> None:
    """So long that all that may be asked for at once may be."""
    conversation.now_s += 10 * WORK_BURST / WORK_PER_S


def read_of(conversation: Conversation, datagrams: int, frames: bytes, header: int = SHORT_HEADER) -> int:
    """How many of so many at the same time."""
    read = 0
    for _ in range(datagrams):
        if begins(conversation, header):
            read += 1
            receive_payload(conversation.quic, frames, now_s=conversation.now_s)
    return read


def spent(conversation: Conversation, frames: bytes) -> float:
    """What a datagram of these costs its peer."""
    budget = conversation.server.frame_limits._budget
    assert begins(conversation)
    before = budget._left
    receive_payload(conversation.quic, frames, now_s=conversation.now_s)
    assert begins(conversation)
    return before - budget._left


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (PING, QuicFrameType.PING),
        (ACK_OF_PACKET_0, QuicFrameType.ACK),
        (RETIRE_AN_OLD_NUMBER, QuicFrameType.RETIRE_CONNECTION_ID),
        (NO_STREAM_DATA, STREAM_FRAMES[2]),
        (NO_DATA, QuicFrameType.DATAGRAM_WITH_LENGTH),
        (STOP_STREAM_4, QuicFrameType.STOP_SENDING),
        (RESET_STREAM_4, QuicFrameType.RESET_STREAM),
        (CHALLENGE, QuicFrameType.PATH_CHALLENGE),
    ],
)
def test_a_datagram_has_only_so_many_frames_and_the_next_one_as_many(
    conversation: Conversation, frame: bytes, kind: int
) -> None:
    conversation.quic.configuration.max_datagram_frame_size = 65_536
    most = MOST_WORK // WORK.get(kind, 1)
    for _ in range(3):
        receive(conversation, frame * most)
    with pytest.raises(QuicConnectionError, match=f"more frames than {MOST_WORK} small ones cost"):
        receive(conversation, frame * (most + 1))


def test_packets_of_one_datagram_count_together(conversation: Conversation) -> None:
    receive(conversation, PING * MOST_WORK)
    with pytest.raises(QuicConnectionError):
        receive_payload(conversation.quic, PING, now_s=conversation.now_s)


def test_three_packets_of_a_handshake_and_what_a_player_asks_at_once_fit(conversation: Conversation) -> None:
    receive(conversation, 3 * ACK_OF_PACKET_0 + 16 * NO_STREAM_DATA)


def test_a_seek_that_ends_all_requests_fits(conversation: Conversation) -> None:
    receive(conversation, ACK_OF_PACKET_0 + MAX_OPEN_REQUESTS * (STOP_STREAM_4 + RESET_STREAM_4))


def ack_of(kind: int, ranges: int) -> bytes:
    """Of every other packet below one that is not sent yet: so many ranges beside the first."""
    head = b"".join(map(encode_uint_var, (kind, 2 * ranges + 2, 0, ranges, 0)))
    return head + bytes(2 * ranges) + (bytes(3) if kind == QuicFrameType.ACK_ECN else b"")


@pytest.fixture
def ranges_sorted_in(monkeypatch: pytest.MonkeyPatch) -> Sequence[tuple[int, int]]:
    """Each that aioquic sorts in, which takes longer the more there are."""
    sorted_in: list[tuple[int, int]] = []

    class Watched(RangeSet):
        def add(self, start: int, stop: int | None = None) -> None:
            sorted_in.append((start, stop or start + 1))
            super().add(start, stop)

    monkeypatch.setattr(packet, "RangeSet", Watched)
    return sorted_in


@pytest.mark.parametrize("kind", ACK_FRAMES)
def test_an_ack_of_too_many_ranges_is_refused_before_one_is_sorted_in(
    conversation: Conversation, ranges_sorted_in: Sequence[tuple[int, int]], kind: int
) -> None:
    with pytest.raises(QuicConnectionError, match=f"more than {MOST_ACK_RANGES} ranges"):
        receive(conversation, ack_of(kind, MOST_ACK_RANGES + 1))
    assert not ranges_sorted_in


@pytest.mark.parametrize("kind", ACK_FRAMES)
def test_ranges_are_sorted_in_once(
    conversation: Conversation, ranges_sorted_in: Sequence[tuple[int, int]], kind: int
) -> None:
    conversation.quic._packet_number = 2 * MOST_ACK_RANGES + 10
    receive(conversation, ack_of(kind, MOST_ACK_RANGES))
    assert len(ranges_sorted_in) == MOST_ACK_RANGES + 1


def test_ranges_cost_work(conversation: Conversation) -> None:
    conversation.quic._packet_number = 1000
    ack = ack_of(QuicFrameType.ACK, MOST_ACK_RANGES)
    most = MOST_WORK // (WORK[QuicFrameType.ACK] + MOST_ACK_RANGES // ACK_RANGES_PER_WORK)
    receive(conversation, most * ack)
    with pytest.raises(QuicConnectionError, match="small ones cost"):
        receive(conversation, (most + 1) * ack)


def test_who_is_sent_nothing_may_ask_for_so_much_at_once_and_a_second(conversation: Conversation) -> None:
    rest(conversation)
    assert read_of(conversation, 2 * WORK_BURST // 100, HUNDRED) == WORK_BURST // 100
    conversation.now_s += 0.099  # what was begun may overdraw
    assert read_of(conversation, WORK_BURST // 100, HUNDRED) == WORK_PER_S // 10 // 100


def test_a_datagram_of_a_handshake_costs_more(conversation: Conversation) -> None:
    rest(conversation)
    work = HANDSHAKE_DATAGRAM_WORK + 80
    assert read_of(conversation, 2 * WORK_BURST // work, PING * 80, LONG_HEADER) == WORK_BURST // work


def test_what_was_sent_to_a_peer_may_be_answered(conversation: Conversation) -> None:
    """An ACK and feedback for each full packet, in datagrams of their own, without end."""
    conversation.quic.configuration.max_datagram_frame_size = 65_536
    for packets_sent in range(2 * WORK_BURST // DATAGRAM_WORK):
        for frame in (ACK_OF_PACKET_0, NO_DATA):
            assert begins(conversation, bytes_sent=packets_sent * PACKET_BYTES)
            receive_payload(conversation.quic, frame, now_s=conversation.now_s)


def test_what_is_in_flight_may_be_answered_when_nothing_more_is_sent(conversation: Conversation) -> None:
    """The end of a download: 1.75 MiB, with an ACK for each second packet."""
    packets, sent_bytes = MAX_IN_FLIGHT_BYTES // PACKET_BYTES, MAX_IN_FLIGHT_BYTES
    assert begins(conversation, bytes_sent=sent_bytes, bytes_in_flight=MAX_IN_FLIGHT_BYTES)
    for left in range(packets, 0, -2):
        assert begins(conversation, bytes_sent=sent_bytes, bytes_in_flight=left * PACKET_BYTES)
        receive_payload(conversation.quic, ACK_OF_PACKET_0, now_s=conversation.now_s)
    assert begins(conversation, bytes_sent=sent_bytes)


def test_who_has_just_come_may_ask_for_less(conversation: Conversation) -> None:
    assert read_of(conversation, WORK_BURST // 100, HUNDRED) <= FIRST_WORK // 100 + 1


def test_who_shares_its_address_with_many_may_ask_for_less(conversation: Conversation) -> None:
    rest(conversation)
    conversation.server.bound_work(500)
    assert read_of(conversation, WORK_BURST // 100, HUNDRED) == 500 * BURST_S // 100
    conversation.now_s += 0.99
    assert read_of(conversation, WORK_BURST // 100, HUNDRED) == 5


def test_a_paused_viewer_among_many_is_read_for_as_long_as_it_is_paused(conversation: Conversation) -> None:
    """Twice a second it asks whether its session lives, and acknowledges the answer of a small packet."""
    conversation.quic.configuration.max_datagram_frame_size = 65_536
    rest(conversation)
    conversation.server.bound_work(share_per_s(1000))
    for _ in range(600):
        conversation.now_s += 0.5
        for frame in (NO_DATA, ACK_OF_PACKET_0):
            assert begins(conversation)
            receive_payload(conversation.quic, frame, now_s=conversation.now_s)


def ping_of(conversation: Conversation) -> bytes:
    """The client's next datagram."""
    conversation.client.send_ping(1)
    ((datagram, _),) = conversation.client.datagrams_to_send(now=conversation.now_s)
    return datagram


def test_what_is_not_read_is_told_from_what_is(conversation: Conversation) -> None:
    datagram = ping_of(conversation)
    conversation.server.frame_limits._budget.spend(2 * WORK_BURST)
    assert not conversation.server.receive_datagram(datagram, CLIENT_ADDRESS, now_s=conversation.now_s)
    rest(conversation)
    assert conversation.server.receive_datagram(datagram, CLIENT_ADDRESS, now_s=conversation.now_s)


def test_what_a_peer_has_not_sent_or_sends_again_is_not_answered(conversation: Conversation) -> None:
    """Somebody else does."""
    receive_datagram = conversation.server.receive_datagram
    ping = ping_of(conversation)
    assert receive_datagram(ping, CLIENT_ADDRESS, now_s=conversation.now_s)
    assert not receive_datagram(ping, CLIENT_ADDRESS, now_s=conversation.now_s)
    head = ping[: 1 + len(conversation.quic.host_cid)]
    for number in range(8):  # as the first bits are drawn
        assert not receive_datagram(head + bytes([number] * 40), CLIENT_ADDRESS, now_s=conversation.now_s)
    assert receive_datagram(ping_of(conversation), CLIENT_ADDRESS, now_s=conversation.now_s)


def test_what_ends_a_connection_is_answered_though_it_has_no_frame(conversation: Conversation) -> None:
    client = conversation.client
    crypto, number = client._cryptos[Epoch.ONE_RTT], client._packet_number
    head = bytes([SHORT_HEADER | 3]) + conversation.quic.host_cid + number.to_bytes(4, "big")
    reserved = bytes([head[0] | 0x18]) + head[1:]
    datagram = crypto.encrypt_packet(reserved, PING * 20, number)
    assert conversation.server.receive_datagram(datagram, CLIENT_ADDRESS, now_s=conversation.now_s)
    assert conversation.server.take_flight(now_s=conversation.now_s)


def test_a_handshake_is_not_bound(conversation: Conversation) -> None:
    conversation.quic._handshake_confirmed = False
    rest(conversation)
    conversation.server.bound_work(500)
    assert read_of(conversation, WORK_BURST // 100, HUNDRED) == WORK_BURST // 100


def test_small_answers_earn_little(conversation: Conversation) -> None:
    """One of fifty bytes to each datagram is as nothing."""
    rest(conversation)
    read = 0
    for number in range(2 * WORK_BURST // DATAGRAM_WORK):
        if begins(conversation, bytes_sent=50 * number):
            read += 1
            receive_payload(conversation.quic, PING, now_s=conversation.now_s)
    assert read < 1.2 * WORK_BURST / DATAGRAM_WORK


def test_a_stream_that_is_opened_costs_more_than_its_frame(conversation: Conversation) -> None:
    def request(number: int) -> bytes:
        return bytes([QuicFrameType.STREAM_BASE | 2, 4 * number, 0])

    conversation.run(1)
    before = spent(conversation, request(0))
    assert spent(conversation, request(0)) == before - STREAM_WORK
    assert spent(conversation, request(3)) == before + 2 * STREAM_WORK


@pytest.mark.parametrize("header", [SHORT_HEADER, LONG_HEADER])
def test_who_forges_datagrams_shuts_nobody_out(conversation: Conversation, header: int) -> None:
    forged = bytes([header]) + conversation.quic.host_cid + bytes(50)
    assert conversation.quic._handshake_confirmed
    for _ in range(2 * WORK_BURST // DATAGRAM_WORK):
        conversation.server.receive_datagram(forged, CLIENT_ADDRESS, now_s=conversation.now_s)
    assert begins(conversation)
