"""Acknowledges those losses that stamps show to be losses, and no skipped packet number."""

from __future__ import annotations

from e2e.abuse.client.acks import HidesBetrayedLosses
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-by-stamps",
    "Hides the losses between stamps that count as many packets as there are numbers.",
    lambda ground: Lies(acks=HidesBetrayedLosses()),
    schemes=SPREAD,
)
