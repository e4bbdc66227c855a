"""A client whose datagrams have another's source once its handshake is over, and which hears nothing from then on."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from aioquic.h3.connection import H3Connection
from aioquic.quic.connection import NetworkAddress
from aioquic.quic.events import HandshakeCompleted, QuicEvent

from e2e.abuse.client.acks import Forger
from e2e.abuse.client.crowd import HANDSHAKE_LIMIT_S, SESSION, Stranger

REQUEST = b'{"path":"generated/1000000000"}\n'
ROUND_TRIPS = 11
FIRST_PACKETS = 8
GROWTH = 1.6
"""A server in slow start sends so many packets more a round trip, with some to spare."""
FIRST_NUMBER = 2
"""Of what leaves when the handshake is over."""
OLDEST_PACKETS = 100
"""Of which an ACK tells once more."""


class BlindAcks(Forger):
    """Acknowledges what a server should have sent by now, each time that it is told to."""

    def __init__(self) -> None:
        self._ends = (round(FIRST_PACKETS * GROWTH**number) for number in itertools.count())
        self.is_due = False

    def acknowledged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        if not self.is_due:
            return received
        self.is_due = False
        end = next(self._ends)
        return [range(max(FIRST_NUMBER, end - OLDEST_PACKETS), end)]


class Source(asyncio.DatagramProtocol):
    """The address that is forged; what comes there is counted, and nobody reads it."""

    def __init__(self) -> None:
        self.transport: asyncio.DatagramTransport | None = None
        self.received_bytes = 0

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        """Called by asyncio."""
        self.transport = transport

    def datagram_received(self, data: bytes, addr: NetworkAddress) -> None:
        """Called by asyncio."""
        self.received_bytes += len(data)


class ForgedSource(Stranger):
    """Its first packet is its own; the end of its handshake and the request for a session come from elsewhere."""

    def __init__(self, source: Source) -> None:
        self._acks = BlindAcks()
        super().__init__(self._acks)
        self._source = source
        self.sent_bytes = 0
        """From the forged source."""

    def transmit(self) -> None:
        """Called by aioquic."""
        if not self.has_arrived.is_set():
            super().transmit()
            return
        assert self._source.transport is not None
        for data, address in self.connection.datagrams_to_send(now=self._loop.time()):
            self._source.transport.sendto(data, address)
            self.sent_bytes += len(data)

    def datagram_received(self, data: bytes | str, addr: NetworkAddress) -> None:
        """Called by asyncio."""
        if not self.has_arrived.is_set():
            super().datagram_received(data, addr)

    def quic_event_received(self, event: QuicEvent) -> None:
        """Called by aioquic."""
        super().quic_event_received(event)
        if isinstance(event, HandshakeCompleted):
            http = H3Connection(self.connection, enable_webtransport=True)
            session_id = self.connection.get_next_available_stream_id()
            http.send_headers(session_id, list(SESSION))
            stream_id = http.create_webtransport_stream(session_id)
            self.connection.send_stream_data(stream_id, REQUEST, end_stream=True)

    def acknowledge(self) -> None:
        """Some packets more, whether anything was sent or not."""
        self._acks.is_due = True
        self.connection.acknowledge_now(now_s=self._loop.time())
        self.transmit()


@asynccontextmanager
async def forged_source(port: int, *, host: str, source_host: str) -> AsyncIterator[tuple[ForgedSource, Source]]:
    """One from `host`, whose handshake is over for itself, but not for the server. Raises TimeoutError."""
    loop = asyncio.get_running_loop()
    forged, source = await loop.create_datagram_endpoint(Source, local_addr=(source_host, 0))
    own, client = await loop.create_datagram_endpoint(lambda: ForgedSource(source), local_addr=(host, 0))
    try:
        client.connect(("127.0.0.1", port))
        async with asyncio.timeout(HANDSHAKE_LIMIT_S):
            await client.has_arrived.wait()
        yield client, source
    finally:
        own.abort()
        forged.abort()
