"""Frames handed to a connection without a packet around them: how fuzzers reach its parsers at full speed."""

from __future__ import annotations

from aioquic.quic.connection import QuicConnection, QuicConnectionState, QuicReceiveContext
from aioquic.tls import Epoch


def receive_payload(quic: QuicConnection, payload: bytes, *, now_s: float) -> None:
    """Handle a payload as that of a decrypted 1-RTT packet, which is never acknowledged.

    Raises QuicConnectionError where a packet would have closed the connection; the connection goes on.
    """
    context = QuicReceiveContext(
        epoch=Epoch.ONE_RTT,
        host_cid=quic.host_cid,
        network_path=quic._network_paths[0],
        quic_logger_frames=None,
        time=now_s,
        version=quic._version,
    )
    quic._payload_received(context, payload)


def is_established(quic: QuicConnection) -> bool:
    """Whether the connection is open and nobody has begun to close it."""
    return quic._state is QuicConnectionState.CONNECTED and quic._close_event is None
