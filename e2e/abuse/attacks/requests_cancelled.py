"""Asks for more than it reads, cancels, and asks again: what is kept of a cancelled response adds up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from cc.registry import scheme
from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.appetite import cancel, read_then_starve
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.ground import Ground
from e2e.abuse.memory import A_CONNECTION

REQUESTS = 64
ROUNDS = 20
SMALL_ROUNDS = 4
RESPONSE_BYTES = 10**9
UNREAD_S = 0.1
"""For a round: the server writes ahead."""
READ_BYTES = 10_000_000
"""Before: the window grows."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """With a large window and no credit."""
    async with ground.media_server() as server, open_liar(server.port, scheme("cubic"), Lies()) as client:
        await cancel(await read_then_starve(client, READ_BYTES))
        before_bytes = server.process.forget_peak()
        for _ in range(SMALL_ROUNDS if ground.is_small else ROUNDS):
            unread: list[asyncio.Task[object]] = [
                asyncio.create_task(client.download(f"generated/{RESPONSE_BYTES}", on_data=lambda data: None))
                for _ in range(REQUESTS)
            ]
            await asyncio.wait(unread, timeout=UNREAD_S)
            await asyncio.gather(*map(cancel, unread))
        grown_bytes = server.process.peak_rss_bytes - before_bytes
    return [A_CONNECTION.of(grown_bytes / 1e6)]


ATTACK = Attack(
    name="requests-cancelled",
    summary=f"Opens {REQUESTS} requests, reads nothing, cancels them, {ROUNDS} times over.",
    limits=(A_CONNECTION,),
    measure=measure,
)
