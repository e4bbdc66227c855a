"""Acknowledges the same again and again: each ACK costs the server time, and may count twice."""

from __future__ import annotations

from e2e.abuse.client.acks import Forger
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-flood",
    "Sends an acknowledgement each 2 ms, of whatever has arrived.",
    lambda ground: Lies(acks=Forger(), ack_interval_s=0.002),
    schemes=SPREAD,
)
