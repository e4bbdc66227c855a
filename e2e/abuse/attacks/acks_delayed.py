"""Claims that each acknowledgement waited long: the round trip looks shorter than it is (RFC 9002 section 5.3)."""

from __future__ import annotations

from e2e.abuse.client.acks import Delays
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-delayed",
    "Claims to have held each acknowledgement for a second.",
    lambda ground: Lies(acks=Delays(1.0)),
    schemes=SPREAD,
)
