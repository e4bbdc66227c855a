"""No attack: an honest receiver of every scheme, over the same link, so that the others can be judged."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Attack, Limit, Sample
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import ALL, drawn_by, link_bytes, stock_reno_bytes
from e2e.abuse.ground import Ground
from e2e.laboratory.figures.figure import Reach

HONEST = Limit("drawn honestly / stock Reno", Reach("at most", 1.5), told_above=1.1)
BASELINE = Limit("stock Reno / what the link carries", Reach("at least", 0.9))
"""A machine that is too busy lets stock Reno send less, and every ratio rises."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """All schemes, and what they are compared with."""
    baseline = BASELINE.of(await stock_reno_bytes(ground) / link_bytes(ground))
    samples = await drawn_by(ground, Lies, schemes=ALL[:1] if ground.is_small else ALL, limit=HONEST)
    return [baseline, *samples]


ATTACK = Attack(
    name="honest-schemes",
    summary="Lies about nothing; a scheme may still take more than stock Reno.",
    limits=(HONEST, BASELINE),
    measure=measure,
)
