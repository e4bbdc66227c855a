"""An honest client that begins to lie once it is trusted, and comes back when it was found."""

from __future__ import annotations

from e2e.abuse.client.acks import HidesLossesLate
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import drawing_attack

HONEST_PACKETS = 2500
"""Six seconds of the link: packets are withheld as seldom then as they ever are."""

ATTACK = drawing_attack(
    "acks-hide-losses-late",
    f"Is honest for {HONEST_PACKETS} packets, then hides all losses, and reconnects whenever it is ended.",
    lambda ground: Lies(acks=HidesLossesLate(HONEST_PACKETS)),
    is_reconnecting=True,
)
