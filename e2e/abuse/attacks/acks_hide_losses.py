"""Acknowledges what the queue dropped, skipped packet numbers included."""

from __future__ import annotations

from e2e.abuse.client.acks import HidesLosses
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-hide-losses",
    "Acknowledges every packet up to the largest that arrived.",
    lambda ground: Lies(acks=HidesLosses()),
    schemes=SPREAD,
)
