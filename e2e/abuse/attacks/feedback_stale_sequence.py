"""Says that every feedback is the first, which later ones must not follow."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.client.feedback import LARGEST_WINDOW_BYTES
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import encode_feedback


def forge(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """Always the first."""
    return [encode_feedback(replace(honest, sequence=0, window_bytes=LARGEST_WINDOW_BYTES))]


ATTACK = feedback_attack("feedback-stale-sequence", "Asks for 4 GB under the same sequence each time.", forge)
