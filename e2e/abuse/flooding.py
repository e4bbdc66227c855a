"""What floods of costly datagrams share: how busy the server is, and how long a newcomer waits half-way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager

from e2e.abuse.attack import Limit, Sample
from e2e.abuse.client.rhythm import at_rate
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING, session_opens_s
from e2e.abuse.serving import Served
from e2e.laboratory.figures.figure import Reach

BUSY = Limit("the server's CPU, of the time", Reach("at most", 0.3))

Send = Callable[[], None]
Sender = Callable[[Served], AbstractAsyncContextManager[Send]]
SECONDS = 4.0
"""A handshake may take five."""
SMALL_SECONDS = 2.0


async def flood_each(ground: Ground, arms: Mapping[str, tuple[int, Sender]], *, for_s: float = SECONDS) -> list[Sample]:
    """One server for each of the arms, which has so many datagrams a second."""
    seconds = SMALL_SECONDS if ground.is_small else for_s
    samples: list[Sample] = []
    for arm, (per_s, sender) in arms.items():
        async with ground.media_server() as server:
            await session_opens_s(server.port)  # what the first session loads is not the attack's
            async with sender(server) as send:
                samples += await flood(server, send, per_s=per_s, for_s=seconds, arm=arm)
    return samples


async def flood(server: Served, send: Send, *, per_s: int, for_s: float, arm: str) -> list[Sample]:
    """Send so often; how busy that makes the server, and when a newcomer is served that comes half-way."""
    loop = asyncio.get_running_loop()
    began_s, before_s = loop.time(), server.process.cpu_s
    newcomer: asyncio.Task[float] | None = None
    async for number in at_rate(per_s, for_s=for_s):
        send()
        if number == per_s * for_s // 2:
            newcomer = asyncio.create_task(session_opens_s(server.port))
    busy = (server.process.cpu_s - before_s) / (loop.time() - began_s)
    assert newcomer is not None
    return [BUSY.of(busy, arm), DURING.of(await newcomer, arm)]
