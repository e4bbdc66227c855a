"""The smallest delay of the last ten minutes, kept by the minute (RFC 6817 section 2.4.2)."""

from __future__ import annotations

from collections import deque

BASE_HISTORY_MINUTES = 10  # RFC 6817 section 2.5


class BaseDelay:
    """What a path takes without a queue; a path that has become longer is believed after ten minutes, silent or not."""

    __slots__ = ("_minutes",)

    def __init__(self) -> None:
        self._minutes: deque[tuple[int, float]] = deque()
        """Minutes with samples, oldest first, each with its smallest delay in seconds."""

    def on_sample(self, delay_s: float, *, now_s: float) -> float:
        """Take a delay; the base with it."""
        minute = int(now_s // 60)
        minutes = self._minutes
        if minutes and minutes[-1][0] == minute:
            delay_s = min(delay_s, minutes.pop()[1])
        minutes.append((minute, delay_s))
        while minutes[0][0] <= minute - BASE_HISTORY_MINUTES:
            minutes.popleft()
        return min(smallest_s for _, smallest_s in minutes)
