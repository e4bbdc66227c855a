"""Claims the largest k and target delay, of which a guard might work something out."""

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
    return [encode_feedback(replace(honest, k=9.0, target_delay_s=4294.0, window_bytes=LARGEST_WINDOW_BYTES))]


ATTACK = feedback_attack("feedback-wild-parameters", "Claims k = 9 and a target delay of 70 minutes.", forge)
