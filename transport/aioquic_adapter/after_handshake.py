"""What a handshake leaves that nobody needs once it is over: all connections share what stands in its place.

aioquic would keep it as long as the connection, its ephemeral keys and secrets among it.
"""

from __future__ import annotations

from typing import Any

from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.connection import QuicConnection
from aioquic.quic.crypto import CryptoPair
from aioquic.quic.stream import QuicStream
from aioquic.tls import AlertUnexpectedMessage, Epoch


class FinishedTls:
    """In place of aioquic's TLS: a client has nothing to say after the handshake (RFC 9001 sections 4.4 and 6)."""

    def handle_message(self, input_data: bytes, output_buf: object) -> None:
        """Raises AlertUnexpectedMessage."""
        if input_data:
            raise AlertUnexpectedMessage("a client sent TLS messages after the handshake")


FINISHED_TLS: Any = FinishedTls()
NO_KEYS = CryptoPair()
NO_STREAM = QuicStream()
NO_ROOM = Buffer(capacity=0)


def forget_handshake(quic: QuicConnection) -> None:
    """Of a server's connection, at the CRYPTO frame that has ended it."""
    quic.tls = FINISHED_TLS
    quic._loss.spaces = [quic._spaces[Epoch.ONE_RTT]]  # it looks at each several times a packet
    quic._remote_version_information = None
    quic._crypto_buffers = {Epoch.ONE_RTT: NO_ROOM}
    for epoch in (Epoch.INITIAL, Epoch.HANDSHAKE):
        quic._crypto_streams[epoch] = NO_STREAM
    quic._cryptos_initial = dict.fromkeys(quic._cryptos_initial, NO_KEYS)
    for epoch in (Epoch.INITIAL, Epoch.HANDSHAKE, Epoch.ZERO_RTT):
        quic._cryptos[epoch] = NO_KEYS
