"""Acknowledges one packet in four, as if the others were lost, and takes what is sent again."""

from __future__ import annotations

from e2e.abuse.client.acks import Sparse
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-sparse",
    "Acknowledges one packet in four.",
    lambda ground: Lies(acks=Sparse(4)),
    schemes=SPREAD,
)
