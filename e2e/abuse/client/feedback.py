"""How feedback is forged: what the receiver would say becomes datagrams that say something else."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from cc.core.receiver_base import Feedback

FeedbackForger = Callable[[Feedback, random.Random], Sequence[bytes]]
"""Datagrams in place of one honest feedback; none is silence."""

LARGEST_WINDOW_BYTES = 2**32 - 1
