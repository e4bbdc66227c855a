"""Asks for a window of four gigabytes, with honest acknowledgements."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.feedback import huge_window
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import DRAWN, drawn_by
from e2e.abuse.ground import Ground


async def measure(ground: Ground) -> Sequence[Sample]:
    """Nuwa, which listens to feedback."""
    return await drawn_by(ground, lambda: Lies(feedback=huge_window), schemes=["nuwa"], small_schemes=["nuwa"])


ATTACK = Attack(
    name="feedback-huge-window",
    summary="Asks for a window of 4 GB in each feedback.",
    against="media server",
    limits=(DRAWN,),
    measure=measure,
)
