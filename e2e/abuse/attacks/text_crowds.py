"""Many who ask for a long manifest at once: to compress it takes a thread, and megabytes for each answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from itertools import accumulate

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.addresses import many_addresses
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import SERVED, page_served_s, request
from e2e.abuse.web import LIVES
from e2e.laboratory.figures.figure import Reach

GROWN = Limit("memory of all answers together", Reach("at most", 256.0), "MB")
"""Without an encoder an answer takes some 0.4 MB, what Node has not yet collected included."""
CONNECTIONS = 400
SMALL_CONNECTIONS = 128
MANIFEST = "long.mpd"
SEGMENTS = 10_000
"""Of lengths that differ, as the sound's of a film do: some 300 kB."""
VISITORS = 3
TIME_LIMIT_S = 60.0


async def measure(ground: Ground) -> Sequence[Sample]:
    """Each from an address of its own, and all read what they are sent."""
    rng = ground.rng("text-crowds")
    hosts = many_addresses(SMALL_CONNECTIONS if ground.is_small else CONNECTIONS, rng)
    async with ground.web_server() as server:
        (ground.folder / "film" / MANIFEST).write_text(_manifest(rng), encoding="ascii")
        asked = request(f"/media/{MANIFEST}", f"127.0.0.1:{server.port}", ("Accept-Encoding: br", "Connection: close"))
        await page_served_s(server.port)
        before_bytes = server.process.forget_peak()
        answers = [asyncio.create_task(_answer(server.port, host, asked)) for host in hosts]
        samples = [SERVED.of(await page_served_s(server.port)) for _ in range(VISITORS)]
        if not all(answer.startswith(b"HTTP/1.1 200 ") for answer in await asyncio.gather(*answers)):
            raise AttackError("text-crowds: a manifest was refused")
        samples.append(GROWN.of((server.process.peak_rss_bytes - before_bytes) / 1e6))
        return [*samples, LIVES.of(float(server.process.is_alive))]


def _manifest(rng: random.Random) -> str:
    lengths = [rng.randrange(170_000, 190_000) for _ in range(SEGMENTS)]
    begins = accumulate(lengths, initial=0)
    return "".join(f'<S t="{t}" d="{d}"/>\n' for t, d in zip(begins, lengths, strict=False))


async def _answer(port: int, host: str, asked: bytes) -> bytes:
    async with asyncio.timeout(TIME_LIMIT_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))
        try:
            writer.write(asked)
            return await reader.read(-1)
        finally:
            writer.close()


ATTACK = Attack(
    name="text-crowds",
    summary=f"Asks for a long manifest, compressed, from {CONNECTIONS} addresses at once.",
    limits=(SERVED, GROWN, LIVES),
    measure=measure,
)
