"""A gap in the handshake's own stream, which a server may keep as long as the handshake (RFC 9000 section 7.5)."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import many_addresses
from e2e.abuse.client.initials import crypto_gap_initial, send_from
from e2e.abuse.ground import Ground
from e2e.abuse.memory import IN_ALL
from e2e.abuse.newcomer import DURING, session_opens_s

INITIALS = 600
OFFSET_BYTES = 2**19 - 1
"""The farthest that aioquic takes."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """Each is 1200 bytes on the wire."""
    rng = ground.rng("crypto-gap")
    hosts = many_addresses(INITIALS, rng)
    async with ground.media_server() as server:
        await session_opens_s(server.port)
        before_bytes = server.process.forget_peak()
        send_from(hosts, [crypto_gap_initial(OFFSET_BYTES, rng) for _ in hosts], server.port)
        during_s = await session_opens_s(server.port)
        grown_bytes = server.process.peak_rss_bytes - before_bytes
    return [IN_ALL.of(grown_bytes / 1e6), DURING.of(during_s)]


ATTACK = Attack(
    name="crypto-gap",
    summary=f"Sends one CRYPTO byte at offset {OFFSET_BYTES}, {INITIALS} times.",
    limits=(IN_ALL, DURING),
    measure=measure,
)
