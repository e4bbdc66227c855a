"""Acknowledges half a second's packets at once: bursts, and a window that grows in jumps."""

from __future__ import annotations

from e2e.abuse.client.acks import Withholds
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-withheld",
    "Withholds acknowledgements for 0.5 s, then gives all at once.",
    lambda ground: Lies(acks=Withholds(0.5)),
    schemes=SPREAD,
)
