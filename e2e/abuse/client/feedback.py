"""Ways to lie in feedback: what the receiver would say becomes datagrams that say something else."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from transport.wire_format.wire import encode_feedback

FeedbackForger = Callable[[Feedback, random.Random], Sequence[bytes]]
"""Datagrams in place of one honest feedback; none is silence."""

LARGEST_WINDOW_BYTES = 2**32 - 1


def huge_window(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """Four gigabytes, each time."""
    return [encode_feedback(replace(honest, window_bytes=LARGEST_WINDOW_BYTES))]
