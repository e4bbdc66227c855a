"""Further ports of a client whose session is open: other paths of its connection (RFC 9000 section 9)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from aioquic.quic.connection import NetworkAddress
from aioquic.quic.packet import QuicFrameType

from e2e.abuse.client.liar import Liar

CHALLENGE_BYTES = 8
FULL_DATAGRAM_BYTES = 1200
"""An answer to a small challenge has as much only where the path is validated (RFC 9000 section 8.2.1)."""
VALIDATION_LIMIT_S = 10.0
ASK_AGAIN_S = 0.25
"""Each question spends one of the answers that a connection gets: on a busy machine none is asked in vain."""


class OtherPath(asyncio.DatagramProtocol):
    """One port. What comes there is handed to the connection, which so answers the server's own challenges."""

    def __init__(self, client: Liar, server_id: bytes, rng: random.Random) -> None:
        self._client = client
        self._server_id = server_id
        self._rng = rng
        self._transport: asyncio.DatagramTransport | None = None
        self.sent_bytes = 0
        self.received_bytes = 0
        self.is_validated = False

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        """Called by asyncio."""
        self._transport = transport

    def datagram_received(self, data: bytes, addr: NetworkAddress) -> None:
        """Called by asyncio."""
        self.received_bytes += len(data)
        self.is_validated = self.is_validated or len(data) >= FULL_DATAGRAM_BYTES
        self._client.arrived_s = None  # what is known of the time is of the other port
        self._client.datagram_received(data, addr)

    def challenge(self) -> None:
        """Send a datagram of nothing but a challenge: no other frame may go there and the path stay unused."""
        assert self._transport is not None
        content = self._rng.randbytes(CHALLENGE_BYTES)
        datagram = self._client.connection.datagram_of(QuicFrameType.PATH_CHALLENGE, content, server_id=self._server_id)
        self._transport.sendto(datagram)
        self.sent_bytes += len(datagram)

    async def validate(self) -> None:
        """Challenge until the server trusts the path. Raises TimeoutError."""
        async with asyncio.timeout(VALIDATION_LIMIT_S):
            while not self.is_validated:
                self.challenge()
                await asyncio.sleep(ASK_AGAIN_S)


@asynccontextmanager
async def other_paths(client: Liar, port: int, count: int, rng: random.Random) -> AsyncIterator[list[OtherPath]]:
    """So many, or as many as the server has given connection IDs for; none is validated yet."""
    loop = asyncio.get_running_loop()
    endpoints: list[asyncio.DatagramTransport] = []
    paths: list[OtherPath] = []
    try:
        for server_id in client.connection.spare_ids[:count]:
            make = partial(OtherPath, client, server_id, rng)
            endpoint, path = await loop.create_datagram_endpoint(make, remote_addr=("127.0.0.1", port))
            endpoints.append(endpoint)
            paths.append(path)
        yield paths
    finally:
        for endpoint in endpoints:
            endpoint.abort()
