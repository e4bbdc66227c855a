"""Counts feedback by leaps, so that old and new change places (mod 2^32)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.client.feedback import LARGEST_WINDOW_BYTES
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """Anywhere."""
    return [encode_feedback(replace(honest, sequence=rng.getrandbits(32), window_bytes=LARGEST_WINDOW_BYTES))]


ATTACK = feedback_attack(
    "feedback-jumping-sequence", "Asks for 4 GB under sequences that leap by up to half their range.", forge
)
