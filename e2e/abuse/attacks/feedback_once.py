"""Asks for all once, and is silent then: a grant must not outlive who asked for it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.client.feedback import LARGEST_WINDOW_BYTES
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """Once."""
    return [encode_feedback(replace(honest, window_bytes=LARGEST_WINDOW_BYTES))] if honest.sequence == 0 else []


ATTACK = feedback_attack("feedback-once", "Asks for 4 GB once, then sends no feedback.", forge)
