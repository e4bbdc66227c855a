"""Acknowledges packets far beyond all that were sent (RFC 9000 section 13.1)."""

from __future__ import annotations

from e2e.abuse.client.acks import AcksAhead
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-unsent",
    "Acknowledges a million packets more than have arrived.",
    lambda ground: Lies(acks=AcksAhead(10**6)),
    schemes=SPREAD,
)
