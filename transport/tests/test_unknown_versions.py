"""Datagrams of versions that the server does not speak: its answer may not be what floods somebody else."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

from transport.aioquic_adapter.size_search import MOST_TAKEN_BYTES
from transport.media_server.admission.limits import DEFAULT_LIMITS
from transport.media_server.server import start_server
from transport.tests.serving import options_for, run

UNKNOWN_VERSION = bytes.fromhex("1a2a3a4a")
HEADER = b"\xc0" + UNKNOWN_VERSION + b"\x08" + bytes(8) + b"\x08" + bytes(8)


def answers(stranger: socket.socket) -> int:
    """How many datagrams have come back."""
    count = 0
    while True:
        try:
            data = stranger.recv(65_535)
        except BlockingIOError:
            return count
        assert data[1:5] == bytes(4)  # a negotiation (RFC 9000 section 17.2.1)
        count += 1


def test_only_full_datagrams_are_told_the_versions_and_only_so_many(film: Path) -> None:
    async def whole() -> None:
        server = await start_server(options_for(film))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.setblocking(False)
            stranger.connect(("127.0.0.1", server.port))

            async def answers_to(datagram: bytes, times: int) -> int:
                for _ in range(times):
                    stranger.send(datagram)
                    await asyncio.sleep(0)
                for _ in range(20):
                    await asyncio.sleep(0)
                return answers(stranger)

            assert await answers_to(HEADER.ljust(1199, b"\0"), 1) == 0
            assert await answers_to(HEADER.ljust(1200, b"\0"), 1) == 1
            assert await answers_to(HEADER.ljust(MOST_TAKEN_BYTES + 1, b"\0"), 1) == 0
            count = sum([await answers_to(HEADER.ljust(1200, b"\0"), 20) for _ in range(50)])
            assert 20 <= count <= 2 * DEFAULT_LIMITS.resets_burst
        await server.stop()

    run(whole())
