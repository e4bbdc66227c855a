"""Asks for anything."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """As likely kilobytes as gigabytes."""
    return [encode_feedback(replace(honest, window_bytes=int(2 ** rng.uniform(0, 32))))]


ATTACK = feedback_attack("feedback-random-window", "Asks for random windows, from a byte to 4 GB.", forge)
