"""Finished handshakes that no session follows: each holds a connection's place."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses
from e2e.abuse.client.crowd import crowd
from e2e.abuse.ground import Ground
from e2e.abuse.memory import IN_ALL
from e2e.abuse.newcomer import AFTER, DURING, session_opens_s

HANDSHAKES = 512
SMALL_HANDSHAKES = 70


async def measure(ground: Ground) -> Sequence[Sample]:
    """From one address, and from as many as there are handshakes."""
    count = SMALL_HANDSHAKES if ground.is_small else HANDSHAKES
    crowds = {
        "one address": [ONE_ADDRESS] * count,
        "many addresses": many_addresses(count, ground.rng("handshakes-idle")),
    }
    samples = []
    for arm, hosts in crowds.items():
        async with ground.media_server() as server:
            await session_opens_s(server.port)
            before_bytes = server.process.forget_peak()
            async with crowd(server.port, hosts):
                samples.append(DURING.of(await session_opens_s(server.port), arm))
            samples.append(AFTER.of(await session_opens_s(server.port), arm))
            samples.append(IN_ALL.of((server.process.peak_rss_bytes - before_bytes) / 1e6, arm))
    return samples


ATTACK = Attack(
    name="handshakes-idle",
    summary=f"Finishes {HANDSHAKES} handshakes and opens no session.",
    against="media server",
    limits=(DURING, AFTER, IN_ALL),
    measure=measure,
)
