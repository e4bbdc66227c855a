"""Connections that begin a request and do not end it: each holds a socket of the web server's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from e2e.abuse.attack import Attack, AttackError, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import SERVED, page_served_s, request
from e2e.abuse.web import DESCRIPTORS, LIVES, descriptors_left_open

SOCKETS = 1024
SMALL_SOCKETS = 128
VISITORS = 3
HEAD = b"GET / HTTP/1.1\r\nHost: "
REPORTED = "/api/telemetry/cmcd"
BODY_HEADERS = ("Content-Type: application/cmcd", "Content-Length: 1000")
ANSWER_LIMIT_S = 0.5


async def measure(ground: Ground) -> Sequence[Sample]:
    """Half a head from one address and from many; half a body from one."""
    count = SMALL_SOCKETS if ground.is_small else SOCKETS
    one = [ONE_ADDRESS] * count
    arms = {
        "heads, one address": (_half_a_head, one),
        "heads, many addresses": (_half_a_head, many_addresses(count, ground.rng("slow-sockets"))),
        "bodies, one address": (_half_a_body, one),
    }
    samples = []
    for arm, (begun, hosts) in arms.items():
        async with ground.web_server() as server:
            await page_served_s(server.port)
            await _require_no_answer(server.port, begun(server.port))
            before = server.process.descriptors
            writers = [(await _begin(server.port, host, begun(server.port)))[1] for host in hosts]
            samples += [SERVED.of(await page_served_s(server.port), arm) for _ in range(VISITORS)]
            for writer in writers:
                writer.transport.abort()
            samples.append(DESCRIPTORS.of(await descriptors_left_open(server, before), arm))
            samples.append(LIVES.of(float(server.process.is_alive), arm))
    return samples


def _half_a_head(_port: int) -> bytes:
    return HEAD


def _half_a_body(port: int) -> bytes:
    return request(REPORTED, f"127.0.0.1:{port}", BODY_HEADERS, "POST") + b"{"


async def _require_no_answer(port: int, begun: bytes) -> None:
    """Raise AttackError where the server does not wait for the rest: who is answered holds nothing up."""
    reader, writer = await _begin(port, ONE_ADDRESS, begun)
    try:
        async with asyncio.timeout(ANSWER_LIMIT_S):
            raise AttackError(f"slow-sockets: half a request was answered: {(await reader.readline()).decode()}")
    except TimeoutError:
        pass
    finally:
        writer.transport.abort()


async def _begin(port: int, host: str, begun: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """What the server does with it is its own affair."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))
    writer.write(begun)
    return reader, writer


ATTACK = Attack(
    name="slow-sockets",
    summary=f"Begins {SOCKETS} requests and ends none.",
    limits=(SERVED, DESCRIPTORS, LIVES),
    measure=measure,
)
