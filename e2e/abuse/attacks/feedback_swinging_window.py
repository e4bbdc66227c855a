"""Asks for all and for nothing by turns: a window that is granted slowly must not swing with it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.client.feedback import LARGEST_WINDOW_BYTES
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """By its sequence."""
    return [encode_feedback(replace(honest, window_bytes=LARGEST_WINDOW_BYTES if honest.sequence % 2 else 1))]


ATTACK = feedback_attack("feedback-swinging-window", "Asks for 4 GB and for one byte by turns.", forge)
