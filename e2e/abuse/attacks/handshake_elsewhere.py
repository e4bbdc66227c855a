"""Handshakes that end with the source of somebody else, who never said a word and should get next to none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses
from e2e.abuse.client.forged_source import ROUND_TRIPS, forged_source
from e2e.abuse.ground import Ground
from e2e.laboratory.figures.figure import Reach

NAME = "handshake-elsewhere"
VICTIMS = 8
SMALL_VICTIMS = 2
ROUND_TRIP_S = 0.02
LISTEN_S = 0.3
AMPLIFIED = Limit("sent to an address that never answered / received from there", Reach("at most", 3.0))
"""RFC 9000 section 8.1."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """Victim by victim: the request of each is acknowledged blindly, as a download in slow start would be."""
    samples: list[Sample] = []
    async with ground.media_server() as server:
        for victim in many_addresses(SMALL_VICTIMS if ground.is_small else VICTIMS, ground.rng(NAME)):
            try:
                async with forged_source(server.port, host=ONE_ADDRESS, source_host=victim) as (client, source):
                    for _ in range(ROUND_TRIPS):
                        await asyncio.sleep(ROUND_TRIP_S)
                        client.acknowledge()
                    await asyncio.sleep(LISTEN_S)
                    samples.append(AMPLIFIED.of(source.received_bytes / client.sent_bytes))
            except TimeoutError as error:
                raise AttackError(f"{NAME}: the server answered no handshake") from error
    return samples


ATTACK = Attack(
    name=NAME,
    summary="Begins handshakes, ends them with a forged source, and acknowledges blindly what goes there.",
    limits=(AMPLIFIED,),
    measure=measure,
)
