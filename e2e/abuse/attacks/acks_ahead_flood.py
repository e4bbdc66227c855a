"""Acknowledges a little more than has arrived, often: each ACK claims progress."""

from __future__ import annotations

from e2e.abuse.client.acks import AcksAhead
from e2e.abuse.client.liar import Lies
from e2e.abuse.drawing import SPREAD, drawing_attack

ATTACK = drawing_attack(
    "acks-ahead-flood",
    "Acknowledges 2 packets ahead each 2 ms.",
    lambda ground: Lies(acks=AcksAhead(2), ack_interval_s=0.002),
    schemes=SPREAD,
)
