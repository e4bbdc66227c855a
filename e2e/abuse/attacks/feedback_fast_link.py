"""Claims a fast and idle link, so that all that follows from the estimate is too much."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.client.feedback import LARGEST_WINDOW_BYTES
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """The fastest that the wire can say."""
    return [
        encode_feedback(
            replace(honest, bandwidth_bits_per_s=2**53 - 1, queueing_delay_s=0.0, window_bytes=LARGEST_WINDOW_BYTES)
        )
    ]


ATTACK = feedback_attack("feedback-fast-link", "Claims 9 Pbit/s without queueing delay, and a window to match.", forge)
