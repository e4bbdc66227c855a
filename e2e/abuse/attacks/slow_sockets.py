"""Connections that begin a request and do not end it: each holds a socket of the web server's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import SERVED, page_served_s
from e2e.abuse.web import DESCRIPTORS, LIVES, descriptors_left_open

SOCKETS = 1024
SMALL_SOCKETS = 128
VISITORS = 3
HEAD = b"GET / HTTP/1.1\r\nHost: "
BODY = b"POST /api/telemetry HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"


async def measure(ground: Ground) -> Sequence[Sample]:
    """Half a head from one address and from many; half a body from one."""
    count = SMALL_SOCKETS if ground.is_small else SOCKETS
    one = [ONE_ADDRESS] * count
    arms = {
        "heads, one address": (HEAD, one),
        "heads, many addresses": (HEAD, many_addresses(count, ground.rng("slow-sockets"))),
        "bodies, one address": (BODY, one),
    }
    samples = []
    for arm, (begun, hosts) in arms.items():
        async with ground.web_server() as server:
            await page_served_s(server.port)
            before = server.process.descriptors
            writers = [await _begin(server.port, host, begun) for host in hosts]
            samples += [SERVED.of(await page_served_s(server.port), arm) for _ in range(VISITORS)]
            for writer in writers:
                writer.transport.abort()
            samples.append(DESCRIPTORS.of(await descriptors_left_open(server, before), arm))
            samples.append(LIVES.of(float(server.process.is_alive), arm))
    return samples


async def _begin(port: int, host: str, begun: bytes) -> asyncio.StreamWriter:
    """What the server does with it is its own affair."""
    _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))
    writer.write(begun)
    return writer


ATTACK = Attack(
    name="slow-sockets",
    summary=f"Begins {SOCKETS} requests and ends none.",
    limits=(SERVED, DESCRIPTORS, LIVES),
    measure=measure,
)
