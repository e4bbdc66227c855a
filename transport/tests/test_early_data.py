"""Nothing of an earlier connection counts: no ticket is given, and early data are not taken (RFC 9001 section 9.2)."""

from __future__ import annotations

import datetime
from pathlib import Path
from ssl import CERT_NONE
from urllib.parse import urlsplit

from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol, QuicStreamHandler
from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.h3.connection import H3_ALPN
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import HandshakeCompleted, QuicEvent
from aioquic.quic.packet import QuicTransportParameters, push_quic_transport_parameters
from aioquic.tls import CipherSuite, ExtensionType, SessionTicket

from transport.tests.serving import run, running_server

LARGE = 2**20
LIMITS = QuicTransportParameters(
    initial_max_data=LARGE, initial_max_stream_data_bidi_remote=LARGE, initial_max_streams_bidi=8
)


def forged_ticket() -> SessionTicket:
    """One that promises early data, and that no server gave."""
    buffer = Buffer(capacity=256)
    push_quic_transport_parameters(buffer, LIMITS)
    now = datetime.datetime.now(datetime.UTC)
    return SessionTicket(
        age_add=0,
        cipher_suite=CipherSuite.AES_128_GCM_SHA256,
        not_valid_after=now + datetime.timedelta(days=1),
        not_valid_before=now,
        resumption_secret=bytes(32),
        server_name="127.0.0.1",
        ticket=bytes(64),
        max_early_data_size=0xFFFFFFFF,
        other_extensions=[(ExtensionType.QUIC_TRANSPORT_PARAMETERS, buffer.data)],
    )


class Listener(QuicConnectionProtocol):
    """Notes what a client is told."""

    def __init__(self, quic: QuicConnection, stream_handler: QuicStreamHandler | None = None) -> None:
        super().__init__(quic, stream_handler)
        self.events: list[QuicEvent] = []

    def quic_event_received(self, event: QuicEvent) -> None:
        self.events.append(event)


def test_neither_a_ticket_is_given_nor_early_data_taken(film: Path) -> None:
    tickets: list[SessionTicket] = []

    async def handshake(port: int, ticket: SessionTicket | None) -> HandshakeCompleted:
        """Sends on a stream before it, where a ticket lets it."""
        configuration = QuicConfiguration(
            alpn_protocols=H3_ALPN,
            is_client=True,
            server_name="127.0.0.1",
            verify_mode=CERT_NONE,
            session_ticket=ticket,
        )
        async with connect(
            "127.0.0.1",
            port,
            configuration=configuration,
            create_protocol=Listener,
            session_ticket_handler=tickets.append,
            wait_connected=False,
        ) as client:
            assert isinstance(client, Listener)
            if ticket is not None:
                client._quic.send_stream_data(0, b"early")
            client.transmit()
            await client.wait_connected()
            await client.ping()
            (done,) = [event for event in client.events if isinstance(event, HandshakeCompleted)]
            return done

    async def whole() -> None:
        async with running_server(film) as url:
            port = urlsplit(url).port
            assert port is not None
            await handshake(port, None)
            assert tickets == []
            done = await handshake(port, forged_ticket())
            assert not done.early_data_accepted
            assert not done.session_resumed

    run(whole())
