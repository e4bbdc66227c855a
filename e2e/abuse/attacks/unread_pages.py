"""Connections that ask for a film's segments and read nothing: each holds a socket and a file of the web server's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import SERVED, page_served_s, request
from e2e.abuse.web import DESCRIPTORS, LIVES, descriptors_left_open

CONNECTIONS = 1100
"""More than there are places."""
SMALL_CONNECTIONS = 200
REQUESTS = 8
"""Few enough to wait their turn."""
SEGMENT = "seg-unread.m4s"
SEGMENT_BYTES = 4_000_000
"""More than buffers between two sockets take."""
VISITORS = 3


async def measure(ground: Ground) -> Sequence[Sample]:
    """Every connection has sent its request, so none can leave as one that is slow to."""
    film = ground.folder / "film"
    film.mkdir(exist_ok=True)
    (film / SEGMENT).write_bytes(bytes(SEGMENT_BYTES))
    async with ground.web_server() as server:
        await page_served_s(server.port)
        before = server.process.descriptors
        asked = request(f"/media/{SEGMENT}", f"127.0.0.1:{server.port}") * REQUESTS
        writers = []
        for _ in range(SMALL_CONNECTIONS if ground.is_small else CONNECTIONS):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", server.port, local_addr=(ONE_ADDRESS, 0), limit=1024
            )
            writer.write(asked)
            writers.append((reader, writer))
        samples = [SERVED.of(await page_served_s(server.port)) for _ in range(VISITORS)]
        for _, writer in writers:
            writer.transport.abort()
        samples.append(DESCRIPTORS.of(await descriptors_left_open(server, before)))
        return [*samples, LIVES.of(float(server.process.is_alive))]


ATTACK = Attack(
    name="unread-pages",
    summary=f"Asks {REQUESTS} times for a segment on each of {CONNECTIONS} connections and reads no answer.",
    limits=(SERVED, DESCRIPTORS, LIVES),
    measure=measure,
)
