"""What the lying connection needs of aioquic's private parts."""

from __future__ import annotations

import pytest
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection, QuicConnectionId
from aioquic.quic.packet import QuicFrameType, QuicProtocolVersion
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.tls import CipherSuite, Epoch

from e2e.abuse.client.connection import LyingConnection

SERVER = ("127.0.0.1", 9)


@pytest.mark.parametrize(
    "name",
    ["_write_ack_frame", "_write_connection_limits", "_write_stream_limits", "_serialize_transport_parameters"],
)
def test_aioquic_has_what_is_overridden(name: str) -> None:
    assert callable(getattr(QuicConnection, name))


def test_aioquic_has_what_is_read() -> None:
    connection = LyingConnection(configuration=QuicConfiguration(is_client=True))
    assert connection._spaces == {}
    assert connection._handshake_complete is False
    assert (connection.streams_granted, connection.bytes_granted) == ([], 0)
    assert (connection.spare_ids, connection.is_over) == ([], False)
    assert (connection._packet_number, connection._version, connection._cryptos) == (0, None, {})
    space = QuicPacketSpace()
    assert (space.ack_at, space.largest_received_packet, list(space.ack_queue)) == (None, -1, [])
    assert callable(QuicPacketBuilder.start_frame)


def test_a_datagram_of_ones_own_is_as_small_as_can_be_and_ends_the_next_flight() -> None:
    connection = LyingConnection(configuration=QuicConfiguration(is_client=True))
    connection.connect(SERVER, now=0.0)
    connection._cryptos[Epoch.ONE_RTT].send.setup(
        cipher_suite=CipherSuite.AES_128_GCM_SHA256, secret=bytes(32), version=QuicProtocolVersion.VERSION_1
    )
    challenge = connection.datagram_of(QuicFrameType.PATH_CHALLENGE, bytes(8), server_id=b"elsewhere")
    assert (len(challenge), challenge[1:10]) == (3 + 9 + 1 + 8 + 16, b"elsewhere")
    again = connection.datagram_of(QuicFrameType.PATH_CHALLENGE, bytes(8), server_id=b"elsewhere")
    assert again[10:] != challenge[10:]
    connection.send_alone(again)
    assert connection.datagrams_to_send(now=0.0)[-1] == (again, SERVER)
    assert connection.datagrams_to_send(now=0.0) == []


def test_a_spare_id_that_is_given_up_counts_no_more() -> None:
    connection = LyingConnection(configuration=QuicConfiguration(is_client=True))
    connection._peer_cid_available = [QuicConnectionId(cid=bytes([each]), sequence_number=each) for each in (1, 2)]
    assert connection.forget_spare_id() == 1
    assert connection.spare_ids == [bytes([2])]
