"""Finished handshakes that no session follows: each holds a connection's place."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.crowding import LIMITS, crowd_from_few_and_many
from e2e.abuse.ground import Ground

NAME = "handshakes-idle"
HANDSHAKES = 512
SMALL_HANDSHAKES = 70


async def measure(ground: Ground) -> Sequence[Sample]:
    """From one address, and from as many as there are handshakes."""
    return await crowd_from_few_and_many(ground, NAME, SMALL_HANDSHAKES if ground.is_small else HANDSHAKES)


ATTACK = Attack(
    name=NAME,
    summary=f"Finishes {HANDSHAKES} handshakes and opens no session.",
    limits=LIMITS,
    measure=measure,
)
