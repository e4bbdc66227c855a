"""What Node reads of a connection at a time, full of what costs most: requests, fields, or chunks of a body."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS
from e2e.abuse.client.rhythm import at_rate
from e2e.abuse.flooding import BUSY
from e2e.abuse.ground import Ground
from e2e.abuse.memory import IN_ALL
from e2e.abuse.newcomer import SERVED, page_served_s, request
from e2e.abuse.web import LIVES

AT_ONCE = 60
"""Fewer than one address may have open."""
PER_S = 20
"""As many more as one address may open."""
SECONDS = 5.0
SMALL_SECONDS = 2.0
BYTES = 1_000_000
"""Of each connection. Node reads 64 KiB of it before it does anything else."""
FIELDS = 1990
"""Node passes over more than 2,000."""
VISIT_EACH_S = 0.2


async def measure(ground: Ground) -> Sequence[Sample]:
    """All of one address: a crowd at once, then others as fast as they are let in."""
    for_s = SMALL_SECONDS if ground.is_small else SECONDS
    samples = []
    for arm in ("requests", "fields", "chunks", "chunks of a report"):
        async with ground.web_server() as server:
            await page_served_s(server.port)
            content = _content(arm, f"127.0.0.1:{server.port}")
            before_bytes, before_s = server.process.forget_peak(), server.process.cpu_s
            began_s = asyncio.get_running_loop().time()
            senders = {asyncio.create_task(_send(server.port, content)) for _ in range(AT_ONCE)}
            visits = asyncio.create_task(_visit(server.port, for_s))
            async for _ in at_rate(PER_S, for_s=for_s):
                senders.add(asyncio.create_task(_send(server.port, content)))
            samples += [SERVED.of(wait_s, arm) for wait_s in await visits]
            used_s = server.process.cpu_s - before_s
            samples.append(BUSY.of(used_s / (asyncio.get_running_loop().time() - began_s), arm))
            for sender in senders:
                sender.cancel()
            await asyncio.gather(*senders, return_exceptions=True)
            samples.append(IN_ALL.of((server.process.peak_rss_bytes - before_bytes) / 1e6, arm))
            samples.append(LIVES.of(float(server.process.is_alive), arm))
    return samples


def _content(arm: str, host: str) -> bytes:
    short = request("/", host)
    if arm == "requests":
        return short * (BYTES // len(short))
    if arm == "fields":
        long = request("/", host, ["a:b"] * FIELDS)
        return short + long * (BYTES // len(long))
    path, kind = ("/api/telemetry/cmcd", "application/cmcd") if arm == "chunks of a report" else ("/", "text/plain")
    head = request(path, host, ("Transfer-Encoding: chunked", f"Content-Type: {kind}"), "POST")
    return head + b"1\r\na\r\n" * (BYTES // 6)


async def _send(port: int, content: bytes) -> None:
    """All of it, or what the server takes; until it ends the connection."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ONE_ADDRESS, 0))
    except OSError:
        return
    try:
        writer.write(content)
        while await reader.read(65_536):
            pass
    except OSError:
        pass
    finally:
        writer.transport.abort()


async def _visit(port: int, for_s: float) -> list[float]:
    end_s = asyncio.get_running_loop().time() + for_s
    waits_s = []
    while asyncio.get_running_loop().time() < end_s:
        await asyncio.sleep(VISIT_EACH_S)
        waits_s.append(await page_served_s(port))
    return waits_s


ATTACK = Attack(
    name="costly-readings",
    summary=f"Opens {AT_ONCE} connections at once, and {PER_S} a second more, full of requests, fields or chunks.",
    limits=(SERVED, BUSY, IN_ALL, LIVES),
    measure=measure,
)
