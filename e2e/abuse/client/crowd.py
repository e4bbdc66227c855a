"""Clients that finish their handshake, and then do what no browser does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from ssl import CERT_NONE

from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.buffer import encode_uint_var
from aioquic.h3.connection import H3_ALPN, FrameType, H3Connection
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import NetworkAddress
from aioquic.quic.events import HandshakeCompleted, QuicEvent, StreamDataReceived

from e2e.abuse.client.connection import AckForger, LyingConnection
from e2e.laboratory.places.media_server import ORIGIN
from transport.headless.client import MAX_DATAGRAM_FRAME_BYTES

ARRIVING = 32
"""At the same time."""
HANDSHAKE_LIMIT_S = 5.0
USUAL_CREDIT_BYTES = 2**20
"""aioquic's."""
FIRST_STREAM = 0
SESSION = (
    *((b":method", b"CONNECT"), (b":protocol", b"webtransport"), (b":scheme", b"https"), (b":authority", b"127.0.0.1")),
    *((b":path", b"/v1/cubic"), (b"origin", ORIGIN.encode()), (b"sec-webtransport-http3-draft02", b"1")),
)
"""The request for one."""


class Stranger(QuicConnectionProtocol):
    """One that has no session."""

    def __init__(self, forger: AckForger | None = None, *, credit_bytes: int = USUAL_CREDIT_BYTES) -> None:
        configuration = QuicConfiguration(
            max_data=credit_bytes,
            max_stream_data=credit_bytes,
            alpn_protocols=H3_ALPN,
            is_client=True,
            server_name="127.0.0.1",
            verify_mode=CERT_NONE,
            max_datagram_frame_size=MAX_DATAGRAM_FRAME_BYTES,
        )
        self.connection = LyingConnection(configuration=configuration, forger=forger)
        super().__init__(self.connection)
        self.has_arrived = asyncio.Event()
        self.heard = asyncio.Event()
        """Set with each datagram that comes."""
        self.stream_bytes = 0
        """What came on streams, of HTTP/3's own frames too."""
        self.streams_ended = 0
        """By the server, which has said all on them."""
        self.streams_heard: set[int] = set()
        """Those on which something came."""

    def ask_for_session(self, *, ends_at_once: bool = False) -> int:
        """The number of its stream."""
        session_id: int = self.connection.get_next_available_stream_id()
        http = H3Connection(self.connection, enable_webtransport=True)
        http.send_headers(session_id, list(SESSION), end_stream=ends_at_once)
        self.transmit()
        return session_id

    def ask_in_session(self, request: bytes) -> int:
        """The same, of a request in the session on the first stream."""
        stream_id: int = self.connection.get_next_available_stream_id()
        head = encode_uint_var(FrameType.WEBTRANSPORT_STREAM) + encode_uint_var(FIRST_STREAM)
        self.connection.send_stream_data(stream_id, head + request, end_stream=True)
        return stream_id

    def transmit(self) -> None:
        """Called by aioquic, also by timers that outlive the socket."""
        if self._transport is not None and not self._transport.is_closing():
            super().transmit()

    def datagram_received(self, data: bytes | str, addr: NetworkAddress) -> None:
        """Called by asyncio."""
        super().datagram_received(data, addr)
        self.heard.set()

    def quic_event_received(self, event: QuicEvent) -> None:
        """Called by aioquic."""
        if isinstance(event, HandshakeCompleted):
            self.has_arrived.set()
        elif isinstance(event, StreamDataReceived):
            self.stream_bytes += len(event.data)
            self.streams_heard.add(event.stream_id)
            self.streams_ended += event.end_stream


@asynccontextmanager
async def crowd(
    port: int, hosts: Sequence[str], *, ack_delay_s: float | None = None, credit_bytes: int = USUAL_CREDIT_BYTES
) -> AsyncIterator[list[Stranger]]:
    """Those whose handshake was finished, one from each address; they are gone without a word at the end.

    `ack_delay_s`: by how much they say that they acknowledge late; None for what is usual. `credit_bytes`: what the
    server may send them at first.
    """
    loop = asyncio.get_running_loop()
    room = asyncio.Semaphore(ARRIVING)
    endpoints: list[asyncio.DatagramTransport] = []
    make = partial(Stranger, credit_bytes=credit_bytes)

    async def arrive(host: str) -> Stranger | None:
        async with room:
            endpoint, stranger = await loop.create_datagram_endpoint(make, local_addr=(host, 0))
            endpoints.append(endpoint)
            stranger.connection.claimed_ack_delay_s = ack_delay_s
            stranger.connect(("127.0.0.1", port))
            try:
                async with asyncio.timeout(HANDSHAKE_LIMIT_S):
                    await stranger.has_arrived.wait()
            except TimeoutError:
                return None
            return stranger

    try:
        arrived = await asyncio.gather(*(arrive(host) for host in hosts))
        yield [stranger for stranger in arrived if stranger is not None]
    finally:
        for endpoint in endpoints:
            endpoint.abort()
