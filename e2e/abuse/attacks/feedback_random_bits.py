"""Sends what is no feedback: every length, every bit, NaNs among them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from cc.core.receiver_base import Feedback
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import FEEDBACK, FEEDBACK_TYPE


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """One that is nearly feedback, and one that is anything."""
    head = bytes([FEEDBACK_TYPE, 0])
    return [head + rng.randbytes(FEEDBACK.size - len(head)), rng.randbytes(rng.randrange(1, 1000))]


ATTACK = feedback_attack(
    "feedback-random-bits", "Sends datagrams of random bits, of feedback's type and length and of others.", forge
)
