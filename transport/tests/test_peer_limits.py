"""What a peer may make a connection keep, frame by frame; `e2e.abuse` sends them to a real server."""

from __future__ import annotations

import gc
import random

import pytest
from aioquic.buffer import Buffer, encode_uint_var  # type: ignore[attr-defined]
from aioquic.quic.connection import QuicConnection, QuicConnectionError, QuicConnectionState, QuicReceiveContext
from aioquic.quic.packet import QuicErrorCode, QuicFrameType, QuicPacketType, QuicProtocolVersion
from aioquic.quic.packet_builder import QuicSentPacket
from aioquic.tls import AlertDescription, Context, Epoch

from transport.aioquic_adapter.after_handshake import NO_KEYS, NO_ROOM, NO_STREAM
from transport.aioquic_adapter.connection import ControlledConnection
from transport.aioquic_adapter.mark_reports import FRAME_HANDLERS
from transport.aioquic_adapter.peer_limits import (
    MAX_ACKS_UNACKNOWLEDGED,
    MAX_BIDIRECTIONAL_STREAMS,
    MAX_CLIENT_HELLO_BYTES,
    MAX_CRYPTO_GAPS,
    MAX_LATER_CRYPTO_BYTES,
    MAX_PEER_CONNECTION_IDS,
    MAX_STREAM_GAPS,
    PEER_DATA_WINDOW_BYTES,
    PeerLimits,
)
from transport.tests.conversation import CLIENT_ADDRESS, SERVER_ADDRESS, Conversation, new_reno

STREAM_WITH_OFFSET = QuicFrameType.STREAM_BASE | 6
CLIENT_HELLO = 1


def half_open() -> tuple[QuicConnection, PeerLimits]:
    """A server's connection that has seen a first packet."""
    conversation = Conversation(new_reno, rng=random.Random(7))
    quic = conversation.quic
    quic._version = QuicProtocolVersion.VERSION_1
    quic._initialize(bytes(8))
    return quic, conversation.server.limits


def receive(quic: QuicConnection, kind: int, *fields: int | bytes, epoch: Epoch = Epoch.ONE_RTT) -> None:
    """A frame arrives; integers are written as QUIC writes them."""
    content = b"".join(encode_uint_var(each) if isinstance(each, int) else each for each in fields)
    handle, epochs = getattr(quic, FRAME_HANDLERS)[kind]
    assert epoch in epochs
    path = quic._network_paths[0] if quic._network_paths else None
    handle(QuicReceiveContext(epoch, b"", path, None, 0.0, None), kind, Buffer(data=content))  # type: ignore[arg-type]


def receive_crypto(quic: QuicConnection, offset: int, data: bytes, epoch: Epoch = Epoch.INITIAL) -> None:
    """A piece of the handshake."""
    receive(quic, QuicFrameType.CRYPTO, offset, len(data), data, epoch=epoch)


def receive_stream(quic: QuicConnection, stream_id: int, offset: int, data: bytes) -> None:
    """A piece of a stream."""
    receive(quic, STREAM_WITH_OFFSET, stream_id, offset, len(data), data)


def test_a_hello_may_be_long_but_not_longer() -> None:
    quic, limits = half_open()
    receive_crypto(quic, MAX_CLIENT_HELLO_BYTES - 1, b"x")
    assert limits.held_bytes() < MAX_CLIENT_HELLO_BYTES + 10_000
    with pytest.raises(QuicConnectionError) as refusal:
        receive_crypto(quic, MAX_CLIENT_HELLO_BYTES, b"x")
    assert refusal.value.error_code == QuicErrorCode.CRYPTO_BUFFER_EXCEEDED


def test_a_hello_of_sixteen_megabytes_is_not_collected_either() -> None:
    quic, _ = half_open()
    receive_crypto(quic, 0, bytes([CLIENT_HELLO]) + (2**24 - 5).to_bytes(3, "big"))
    receive_crypto(quic, 4, bytes(MAX_CLIENT_HELLO_BYTES - 4))
    with pytest.raises(QuicConnectionError, match="bytes of handshake"):
        receive_crypto(quic, MAX_CLIENT_HELLO_BYTES, b"x")


def test_what_follows_the_hello_is_short(conversation: Conversation) -> None:
    with pytest.raises(QuicConnectionError, match="bytes of handshake"):
        receive_crypto(conversation.quic, MAX_LATER_CRYPTO_BYTES, b"x", Epoch.ONE_RTT)


def test_a_hello_may_come_in_many_pieces_but_not_in_any_number() -> None:
    quic, _ = half_open()
    for piece in range(1, MAX_CRYPTO_GAPS + 1):
        receive_crypto(quic, 2 * piece, b"x")
    with pytest.raises(QuicConnectionError, match="gaps"):
        receive_crypto(quic, 2 * MAX_CRYPTO_GAPS + 2, b"x")


def contexts() -> set[int]:
    """All servers' of aioquic's TLS that are alive."""
    gc.collect()
    return {id(each) for each in gc.get_objects() if type(each) is Context and not each._is_client}


def test_nothing_of_the_handshake_is_kept_after_it() -> None:
    before = contexts()
    conversation = Conversation(new_reno, rng=random.Random(7))
    conversation.run(1)
    quic = conversation.quic
    assert quic._remote_version_information is None
    assert quic._crypto_buffers == {Epoch.ONE_RTT: NO_ROOM}
    assert {quic._crypto_streams[epoch] for epoch in (Epoch.INITIAL, Epoch.HANDSHAKE)} == {NO_STREAM}
    assert {id(keys) for epoch, keys in quic._cryptos.items() if epoch is not Epoch.ONE_RTT} == {id(NO_KEYS)}
    assert {id(keys) for keys in quic._cryptos_initial.values()} == {id(NO_KEYS)}
    assert contexts() <= before


def finished_of(client: QuicConnection, server: ControlledConnection) -> bytes:
    """What the client would end the handshake with; the server has answered its hello, and waits for it."""
    finished: list[bytes] = []
    push = client._push_crypto_data

    def withhold() -> None:
        buffer = client._crypto_buffers[Epoch.HANDSHAKE]
        if buffer.tell():
            finished.append(buffer.data)
            buffer.seek(0)
        push()

    client._push_crypto_data = withhold  # type: ignore[method-assign]
    for data, _ in client.datagrams_to_send(now=0.0):
        server.receive_datagram(data, CLIENT_ADDRESS, now_s=0.0)
    for data, _ in server.take_flight(now_s=0.0):
        client.receive_datagram(data, SERVER_ADDRESS, now=0.0)
    (message,) = finished
    return message


def test_a_handshake_that_ends_in_a_packet_of_another_kind_is_refused_and_ended() -> None:
    conversation = Conversation(new_reno, rng=random.Random(7))
    quic, server = conversation.quic, conversation.server
    finished = finished_of(conversation.client, server)
    hello_bytes = quic._crypto_streams[Epoch.INITIAL].receiver.starting_offset()
    with pytest.raises(QuicConnectionError, match="of another kind") as refusal:
        receive_crypto(quic, hello_bytes, finished, Epoch.INITIAL)
    assert refusal.value.error_code == QuicErrorCode.PROTOCOL_VIOLATION
    server.end(error_code=0, reason="", now_s=0.1)
    assert quic._state is QuicConnectionState.TERMINATED


def test_what_a_client_says_behind_its_finished_is_kept_for_nobody(conversation: Conversation) -> None:
    for offset in (0, 2, 4):  # in the packet of the Finished, whose keys have gone meanwhile
        receive_crypto(conversation.quic, offset, b"x", Epoch.HANDSHAKE)
    assert conversation.end is None
    assert (bytes(NO_STREAM.receiver._buffer), list(NO_STREAM.receiver._ranges)) == (b"", [])
    assert NO_STREAM.receiver.starting_offset() == 0


def test_the_handshakes_datagrams_may_come_again_after_it() -> None:
    conversation = Conversation(new_reno, rng=random.Random(7), fate=lambda is_from_server: (0.010, 0.015, 0.5))
    conversation.run(1_000_000)
    assert conversation.end is None
    assert (NO_KEYS.recv.is_valid(), NO_KEYS.send.is_valid(), NO_STREAM.sender.highest_offset) == (False, False, 0)


def test_a_client_has_nothing_to_say_to_tls_after_the_handshake(conversation: Conversation) -> None:
    receive_crypto(conversation.quic, 0, b"", Epoch.ONE_RTT)
    with pytest.raises(QuicConnectionError, match="after the handshake") as refusal:
        receive_crypto(conversation.quic, 0, b"x", Epoch.ONE_RTT)
    assert refusal.value.error_code == QuicErrorCode.CRYPTO_ERROR + AlertDescription.unexpected_message


def test_a_stream_with_holes_is_refused(conversation: Conversation) -> None:
    quic = conversation.quic
    for piece in range(1, MAX_STREAM_GAPS + 1):
        receive_stream(quic, 0, 2 * piece, b"x")
    with pytest.raises(QuicConnectionError, match="gaps"):
        receive_stream(quic, 0, 2 * MAX_STREAM_GAPS + 2, b"x")


def test_more_streams_than_a_player_needs_are_refused(conversation: Conversation) -> None:
    last = 4 * (MAX_BIDIRECTIONAL_STREAMS - 1)
    receive_stream(conversation.quic, last, 0, b"x")
    with pytest.raises(QuicConnectionError, match="Too many streams"):
        receive_stream(conversation.quic, last + 4, 0, b"x")


@pytest.mark.parametrize(("begin", "is_credit_given"), [(1, False), (0, True)], ids=["behind a gap", "in order"])
def test_credit_is_given_for_what_was_read(conversation: Conversation, begin: int, is_credit_given: bool) -> None:
    quic = conversation.quic
    quic._local_max_data.value = quic._local_max_data.sent = PEER_DATA_WINDOW_BYTES
    for stream_id in range(0, 12, 4):
        receive_stream(quic, stream_id, begin, bytes(8 * 1024 - begin))
    conversation.run(1000)
    assert (quic._local_max_data.value > PEER_DATA_WINDOW_BYTES) == is_credit_given


def test_what_readers_hold_counts_as_unread(conversation: Conversation) -> None:
    quic = conversation.quic
    quic._local_max_data.value = quic._local_max_data.sent = PEER_DATA_WINDOW_BYTES
    conversation.server.limits.held_by_readers = lambda: 3 * 8 * 1024
    for stream_id in range(0, 12, 4):
        receive_stream(quic, stream_id, 0, bytes(8 * 1024))
    conversation.run(1000)
    assert quic._local_max_data.value == PEER_DATA_WINDOW_BYTES


def test_a_response_that_was_reset_is_forgotten(conversation: Conversation) -> None:
    quic, server = conversation.quic, conversation.server
    receive_stream(quic, 0, 0, b"x")
    before_bytes = server.limits.held_bytes()
    quic.send_stream_data(0, bytes(100_000))
    assert server.limits.held_bytes() > before_bytes + 100_000
    server.streams.reset(0, 1)
    assert server.limits.held_bytes() == before_bytes


def test_acknowledgements_that_nobody_acknowledges_are_forgotten(conversation: Conversation) -> None:
    packets = conversation.quic._spaces[Epoch.ONE_RTT].sent_packets
    packets.clear()
    for number in range(10 * MAX_ACKS_UNACKNOWLEDGED):
        is_data = number == 0
        packets[number] = QuicSentPacket(
            Epoch.ONE_RTT, is_data, is_data, False, number, QuicPacketType.ONE_RTT, sent_time=0.0, sent_bytes=40
        )
    conversation.server.limits.forget_old_acks()
    assert list(packets) == [0, *range(9 * MAX_ACKS_UNACKNOWLEDGED, 10 * MAX_ACKS_UNACKNOWLEDGED)]


def test_connection_ids_without_end_are_refused(conversation: Conversation) -> None:
    quic = conversation.quic

    def receive_id(sequence: int) -> None:
        quic._peer_cid_available.clear()  # used up on paths of their own
        conversation.server.frame_limits.begin_datagram(0x40, now_s=0.0, bytes_sent=0, bytes_in_flight=0)
        receive(quic, QuicFrameType.NEW_CONNECTION_ID, sequence, 0, bytes([8]), sequence.to_bytes(8, "big"), bytes(16))

    known = quic._peer_cid_sequence_numbers
    while len(known) < MAX_PEER_CONNECTION_IDS:
        receive_id(max(known) + 1)
        known = quic._peer_cid_sequence_numbers
    with pytest.raises(QuicConnectionError, match="connection IDs"):
        receive_id(max(known) + 1)
