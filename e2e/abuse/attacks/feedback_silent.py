"""Receives and never asks: a sender that waits for its receiver must fall back."""

from __future__ import annotations

import random
from collections.abc import Sequence

from cc.core.receiver_base import Feedback
from e2e.abuse.drawing import feedback_attack


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """Nothing."""
    return []


ATTACK = feedback_attack("feedback-silent", "Sends no feedback at all.", forge)
