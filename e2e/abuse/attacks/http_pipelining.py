"""Requests by the thousand on a connection whose answers nobody reads: each may hold a file and memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import SERVED, page_served_s, request
from e2e.abuse.web import DESCRIPTORS, LIVES, descriptors_left_open

CONNECTIONS = 2
REQUESTS = 17_500
SMALL_REQUESTS = 3_000
VISITORS = 3


async def measure(ground: Ground) -> Sequence[Sample]:
    """The film's manifest, again and again."""
    requests = SMALL_REQUESTS if ground.is_small else REQUESTS
    async with ground.web_server() as server:
        await page_served_s(server.port)
        before = server.process.descriptors
        asked = request("/media/manifest.mpd", f"127.0.0.1:{server.port}") * requests
        writers = []
        for _ in range(CONNECTIONS):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(ONE_ADDRESS, 0), limit=1024)
            writer.write(asked)
            writers.append(writer)
        samples = [SERVED.of(await page_served_s(server.port)) for _ in range(VISITORS)]
        for writer in writers:
            writer.transport.abort()
        samples.append(DESCRIPTORS.of(await descriptors_left_open(server, before)))
        return [*samples, LIVES.of(float(server.process.is_alive))]


ATTACK = Attack(
    name="http-pipelining",
    summary=f"Sends {REQUESTS} GETs on each of {CONNECTIONS} connections and reads no answer.",
    limits=(SERVED, DESCRIPTORS, LIVES),
    measure=measure,
)
