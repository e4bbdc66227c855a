"""Lets the window grow on a short path, then gives no more credit: what was written ahead stays with the server."""

from __future__ import annotations

from collections.abc import Sequence

from cc.registry import scheme
from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.appetite import cancel, read_then_starve
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.ground import Ground
from e2e.abuse.memory import A_CONNECTION

READ_BYTES = 60_000_000
SMALL_READ_BYTES = 10_000_000
SCHEMES = ("bbr", "cubic", "nuwa")


async def measure(ground: Ground) -> Sequence[Sample]:
    """Schemes with large windows on loopback."""
    samples = []
    for name in SCHEMES[: 1 if ground.is_small else None]:
        async with ground.media_server() as server, open_liar(server.port, scheme(name), Lies()) as client:
            before_bytes = server.process.forget_peak()
            download = await read_then_starve(client, SMALL_READ_BYTES if ground.is_small else READ_BYTES)
            samples.append(A_CONNECTION.of((server.process.peak_rss_bytes - before_bytes) / 1e6, name))
            await cancel(download)
    return samples


ATTACK = Attack(
    name="unread-responses",
    summary=f"Reads {READ_BYTES // 10**6} MB on a path without delay, then gives no more credit.",
    limits=(A_CONNECTION,),
    measure=measure,
)
