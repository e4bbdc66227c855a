"""Acknowledges packets that have not arrived, or were never sent (RFC 9000 section 21.4)."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.acks import AcksAhead
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import DRAWN, drawn_by
from e2e.abuse.ground import Ground

AHEAD_PACKETS = 8


async def measure(ground: Ground) -> Sequence[Sample]:
    """All schemes."""
    return await drawn_by(ground, lambda: Lies(acks=AcksAhead(AHEAD_PACKETS)))


ATTACK = Attack(
    name="acks-ahead",
    summary=f"Acknowledges {AHEAD_PACKETS} packets more than have arrived, and every lost one.",
    against="media server",
    limits=(DRAWN,),
    measure=measure,
)
