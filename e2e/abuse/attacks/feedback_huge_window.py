"""Asks for more than any path takes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.client.feedback import LARGEST_WINDOW_BYTES
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """The largest that the wire can say."""
    return [encode_feedback(replace(honest, window_bytes=LARGEST_WINDOW_BYTES))]


ATTACK = feedback_attack("feedback-huge-window", "Asks for a window of 4 GB in each feedback.", forge)
