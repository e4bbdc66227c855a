"""A trickle of first packets, enough to hold every place if a handshake may take half a minute."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import many_addresses
from e2e.abuse.client.initials import plain_initial, send_from
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import AFTER, DURING, session_opens_s

A_SECOND = 17
SECONDS = 60
SMALL_SECONDS = 2
NEWCOMER_EACH_S = 5


async def measure(ground: Ground) -> Sequence[Sample]:
    """A newcomer every few seconds."""
    seconds = SMALL_SECONDS if ground.is_small else SECONDS
    rng = ground.rng("initials-steady")
    samples = []
    async with ground.media_server() as server:
        for second in range(seconds):
            hosts = many_addresses(A_SECOND, rng)
            send_from(hosts, [plain_initial() for _ in hosts], server.port)
            if second % NEWCOMER_EACH_S == 0:
                samples.append(DURING.of(await session_opens_s(server.port)))
            await asyncio.sleep(1)  # the attack's own rhythm
        samples.append(AFTER.of(await session_opens_s(server.port)))
    return samples


ATTACK = Attack(
    name="initials-steady",
    summary=f"Sends {A_SECOND} Initials a second for a minute, each from an address of its own.",
    limits=(DURING, AFTER),
    measure=measure,
)
