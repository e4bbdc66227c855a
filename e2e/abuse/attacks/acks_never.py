"""Acknowledges nothing once the session is open."""

from __future__ import annotations

from e2e.abuse.client.acks import Never
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-never",
    "Acknowledges nothing after the first 32 packets.",
    lambda ground: Lies(acks=Never()),
    schemes=SPREAD,
)
