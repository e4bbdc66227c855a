"""Asks for less than a packet, so that the window must grow again and again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """The smallest that the wire can say."""
    return [encode_feedback(replace(honest, window_bytes=1))]


ATTACK = feedback_attack("feedback-tiny-window", "Asks for a window of one byte.", forge)
