"""The same, and a new connection as soon as the server ends one: each may draw until it is found out."""

from __future__ import annotations

from e2e.abuse.client.acks import HidesLosses
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import drawing_attack

ATTACK = drawing_attack(
    "acks-hide-losses-again",
    "Hides all losses, and reconnects whenever the server ends the connection.",
    lambda ground: Lies(acks=HidesLosses()),
    is_reconnecting=True,
)
