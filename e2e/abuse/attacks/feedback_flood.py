"""Asks 10,000 times a second: each feedback costs the server time."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.client.feedback import LARGEST_WINDOW_BYTES
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback

FEEDBACKS = 40


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """Forty, one after the other."""
    sequences = range(FEEDBACKS * honest.sequence, FEEDBACKS * (honest.sequence + 1))
    return [encode_feedback(replace(honest, sequence=each, window_bytes=LARGEST_WINDOW_BYTES)) for each in sequences]


ATTACK = feedback_attack("feedback-flood", "Sends 40 feedbacks each 4 ms, for 4 GB.", forge)
