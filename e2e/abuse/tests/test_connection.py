"""What the lying connection needs of aioquic's private parts."""

from __future__ import annotations

import pytest
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.quic.recovery import QuicPacketSpace

from e2e.abuse.client.connection import LyingConnection


@pytest.mark.parametrize("name", ["_write_ack_frame", "_write_connection_limits", "_write_stream_limits"])
def test_aioquic_has_what_is_overridden(name: str) -> None:
    assert callable(getattr(QuicConnection, name))


def test_aioquic_has_what_is_read() -> None:
    connection = LyingConnection(configuration=QuicConfiguration(is_client=True))
    assert connection._spaces == {}
    assert connection._handshake_complete is False
    assert (connection.streams_granted, connection.bytes_granted) == ([], 0)
    space = QuicPacketSpace()
    assert (space.ack_at, space.largest_received_packet, list(space.ack_queue)) == (None, -1, [])
    assert callable(QuicPacketBuilder.start_frame)
