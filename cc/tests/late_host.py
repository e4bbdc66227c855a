"""A receiver's host that wakes late, and notices only then what has arrived meanwhile."""

from __future__ import annotations

import random
from collections import deque

from cc.core.receiver_base import Feedback, Need, ReceiverScheme, ReceiverState, Stamp


class LateHost:
    """Between a receiver and what arrives for it: busy with something else for up to `longest_s` at a time."""

    def __init__(self, receiver: ReceiverScheme, *, longest_s: float, seed: int = 1, says_so: bool = True) -> None:
        """`says_so`: whether the receiver is told how late its host is."""
        self._receiver = receiver
        self._longest_s = longest_s
        self._rng = random.Random(seed)
        self._says_so = says_so
        self._woke_s = 0.0
        self._next_wake_s = 0.0
        self._waiting: deque[tuple[float, float, Stamp]] = deque()

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        """It arrives; it is read when the host wakes."""
        del late_s
        while self._next_wake_s < received_time_s:
            self._woke_s = self._next_wake_s
            self._next_wake_s += self._rng.random() * self._longest_s
        self._waiting.append((self._next_wake_s, self._next_wake_s - self._woke_s, stamp))

    def expect_data(self, is_expecting: bool) -> None:
        """Passed on."""
        self._receiver.expect_data(is_expecting)

    def on_need(self, need: Need, *, now_s: float) -> None:
        """Passed on."""
        self._receiver.on_need(need, now_s=now_s)

    def start_epoch(self, *, now_s: float) -> None:
        """Passed on."""
        self._receiver.start_epoch(now_s=now_s)

    def feedback(self, *, now_s: float) -> Feedback | None:
        """Of what was read by then."""
        while self._waiting and self._waiting[0][0] <= now_s:
            woke_s, late_s, stamp = self._waiting.popleft()
            self._receiver.on_stamp(stamp, received_time_s=woke_s, late_s=late_s if self._says_so else 0.0)
        return self._receiver.feedback(now_s=now_s)

    def state(self, *, now_s: float) -> ReceiverState:
        """Passed on."""
        return self._receiver.state(now_s=now_s)
