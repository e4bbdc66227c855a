"""Acknowledges packets that have not arrived, or were never sent (RFC 9000 section 21.4)."""

from __future__ import annotations

from e2e.abuse.client.acks import AcksAhead
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-ahead",
    "Acknowledges 8 packets more than have arrived.",
    lambda ground: Lies(acks=AcksAhead(8)),
    schemes=SPREAD,
)
