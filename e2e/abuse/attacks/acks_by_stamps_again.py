"""The same, and a new connection as soon as the server ends one."""

from __future__ import annotations

from e2e.abuse.client.acks import HidesBetrayedLosses
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import drawing_attack

ATTACK = drawing_attack(
    "acks-by-stamps-again",
    "Hides the losses that stamps betray, and reconnects whenever the server ends the connection.",
    lambda ground: Lies(acks=HidesBetrayedLosses()),
    is_reconnecting=True,
)
