"""One byte at the end of each stream's credit: whoever keeps the gaps keeps all that was granted (RFC 9000 21.7)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from aioquic.buffer import encode_uint_var
from aioquic.quic.packet import QuicFrameType

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import many_addresses
from e2e.abuse.client.crowd import Stranger, crowd
from e2e.abuse.ground import Ground
from e2e.abuse.memory import A_CONNECTION, IN_ALL
from e2e.abuse.newcomer import session_opens_s

CONNECTIONS = 512
SMALL_CONNECTIONS = 16
WITH_OFFSET_AND_LENGTH = 0b110
"""Bits of a STREAM frame's type (RFC 9000 section 19.8)."""
AT_ONCE = 16
PATIENCE_S = 1.0


async def measure(ground: Ground) -> Sequence[Sample]:
    """As many streams as the server grants, to their last byte."""
    count = SMALL_CONNECTIONS if ground.is_small else CONNECTIONS
    async with ground.media_server() as server:
        await session_opens_s(server.port)
        before_bytes = server.process.forget_peak()
        async with crowd(server.port, many_addresses(count, ground.rng("stream-gaps"))) as strangers:
            room = asyncio.Semaphore(AT_ONCE)
            await asyncio.gather(*(_leave_gaps(stranger, room) for stranger in strangers))
            grown_bytes = server.process.peak_rss_bytes - before_bytes
    return [A_CONNECTION.of(grown_bytes / 1e6 / max(1, len(strangers))), IN_ALL.of(grown_bytes / 1e6)]


async def _leave_gaps(stranger: Stranger, room: asyncio.Semaphore) -> None:
    """Stays within the credit of the connection, and goes on as soon as it grows."""
    connection = stranger.connection
    claimed_bytes = 0
    async with room:
        for number, size_bytes in connection.streams_granted:
            claimed_bytes += size_bytes
            try:
                async with asyncio.timeout(PATIENCE_S):
                    while connection.bytes_granted < claimed_bytes:
                        stranger.heard.clear()
                        stranger.transmit()
                        await stranger.heard.wait()
            except TimeoutError:
                break  # no more is granted: what was kept is all that can be
            content = encode_uint_var(number) + encode_uint_var(size_bytes - 1) + encode_uint_var(1) + b"x"
            connection.write_frame(QuicFrameType.STREAM_BASE | WITH_OFFSET_AND_LENGTH, content)
        stranger.heard.clear()
        stranger.transmit()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await stranger.heard.wait()


ATTACK = Attack(
    name="stream-gaps",
    summary=f"Sends the last byte alone of every stream that is granted, on {CONNECTIONS} connections.",
    limits=(A_CONNECTION, IN_ALL),
    measure=measure,
)
