"""Claims to have seen stamps that were never sent."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.client.feedback import LARGEST_WINDOW_BYTES
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """A thousand stamps ahead."""
    return [
        encode_feedback(
            replace(honest, last_stamp_sequence=honest.last_stamp_sequence + 1000, window_bytes=LARGEST_WINDOW_BYTES)
        )
    ]


ATTACK = feedback_attack("feedback-future-stamp", "Asks for 4 GB by stamps that are yet to come.", forge)
