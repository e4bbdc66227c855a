"""One loss in ten is hidden: enough to grow, seldom enough to be found late."""

from __future__ import annotations

from e2e.abuse.client.acks import HidesSomeLosses
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import drawing_attack

SHARE = 0.1

ATTACK = drawing_attack(
    "acks-hide-some-losses",
    f"Hides {SHARE:.0%} of its losses, and reconnects when the server ends the connection.",
    lambda ground: Lies(acks=HidesSomeLosses(SHARE, ground.rng("acks-hide-some-losses"))),
    is_reconnecting=True,
)
