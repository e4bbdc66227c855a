"""Many small requests in one session: whatever is kept of each grows as long as the session lives."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from cc.registry import scheme
from e2e.abuse.attack import Attack, Limit, Sample
from e2e.abuse.client.liar import Liar, Lies, open_liar
from e2e.abuse.ground import Ground
from e2e.laboratory.figures.figure import Reach

AN_HOUR_REQUESTS = 10_000
"""Of a film with segments of 2 s, video and sound, some of them in ranges."""
KEPT = Limit(f"kept of {AN_HOUR_REQUESTS} requests, an hour's", Reach("at most", 1.0), "MB")
SMALL_REQUESTS = 2_000
AT_ONCE = 16
WARM_UP_REQUESTS = 1_000
"""What Python's allocator takes first is not kept of requests."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """One byte each."""
    requests = SMALL_REQUESTS if ground.is_small else AN_HOUR_REQUESTS
    async with ground.media_server() as server, open_liar(server.port, scheme("cubic"), Lies()) as client:
        await _ask(client, WARM_UP_REQUESTS)
        before_bytes = server.process.rss_bytes
        await _ask(client, requests)
        grown_bytes = server.process.rss_bytes - before_bytes
    return [KEPT.of(grown_bytes / 1e6 * AN_HOUR_REQUESTS / requests)]


async def _ask(client: Liar, requests: int) -> None:
    for _ in range(requests // AT_ONCE):
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(client.download("generated/1", on_data=lambda data: None))


ATTACK = Attack(
    name="request-history",
    summary=f"Asks {AN_HOUR_REQUESTS} times for one byte in one session.",
    limits=(KEPT,),
    measure=measure,
)
