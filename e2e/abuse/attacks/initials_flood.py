"""A wave of first packets from spoofed addresses: each may cost the server a place and memory."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import many_addresses
from e2e.abuse.client.initials import plain_initial, send_from
from e2e.abuse.ground import Ground
from e2e.abuse.memory import IN_ALL
from e2e.abuse.newcomer import AFTER, DURING, session_opens_s

INITIALS = 600


async def measure(ground: Ground) -> Sequence[Sample]:
    """As fast as they can be sent: the server is busy with them when the newcomer comes."""
    hosts = many_addresses(INITIALS, ground.rng("initials-flood"))
    initials = [plain_initial() for _ in hosts]
    async with ground.media_server() as server:
        await session_opens_s(server.port)  # what the first session loads is not the attack's
        before_bytes = server.process.forget_peak()
        send_from(hosts, initials, server.port)
        during_s = await session_opens_s(server.port)
        after_s = await session_opens_s(server.port)
        grown_bytes = server.process.peak_rss_bytes - before_bytes
    return [DURING.of(during_s), AFTER.of(after_s), IN_ALL.of(grown_bytes / 1e6)]


ATTACK = Attack(
    name="initials-flood",
    summary=f"Sends {INITIALS} Initials, each from an address of its own, and finishes no handshake.",
    limits=(DURING, AFTER, IN_ALL),
    measure=measure,
)
