"""What attacks by a crowd share: from one address and from many, beside a newcomer, and what the server keeps of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from e2e.abuse.attack import Sample
from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses
from e2e.abuse.client.crowd import USUAL_CREDIT_BYTES, Stranger, crowd
from e2e.abuse.ground import Ground
from e2e.abuse.memory import IN_ALL
from e2e.abuse.newcomer import AFTER, DURING, session_opens_s

LIMITS = (DURING, AFTER, IN_ALL)

Act = Callable[[Sequence[Stranger]], Awaitable[None]]
"""What the crowd does when all have connected. Raises AttackError where it cannot."""


async def crowd_from_few_and_many(
    ground: Ground,
    name: str,
    count: int,
    *,
    options: Sequence[str] = (),
    act: Act | None = None,
    credit_bytes: int = USUAL_CREDIT_BYTES,
) -> list[Sample]:
    """A server with these options for each of the two; its crowd stays while a newcomer tries.

    `credit_bytes`: what the server may send to each of the crowd.
    """
    crowds = {
        "one address": [ONE_ADDRESS] * count,
        "many addresses": many_addresses(count, ground.rng(name)),
    }
    samples = []
    for arm, hosts in crowds.items():
        async with ground.media_server(*options) as server:
            await session_opens_s(server.port)
            before_bytes = server.process.forget_peak()
            async with crowd(server.port, hosts, credit_bytes=credit_bytes) as strangers:
                if act is not None:
                    await act(strangers)
                samples.append(DURING.of(await session_opens_s(server.port), arm))
            samples.append(AFTER.of(await session_opens_s(server.port), arm))
            samples.append(IN_ALL.of((server.process.peak_rss_bytes - before_bytes) / 1e6, arm))
    return samples
