"""The smallest delay of the last ten minutes, kept by the minute (RFC 6817 section 2.4.2)."""

from __future__ import annotations

from collections import deque

BASE_HISTORY_MINUTES = 10  # RFC 6817 section 2.5


class BaseDelay:
    """What a path takes without a queue; a path that has become longer is believed after ten minutes."""

    __slots__ = ("_minute", "_smallest_s")

    def __init__(self) -> None:
        self._smallest_s: deque[float] = deque(maxlen=BASE_HISTORY_MINUTES)
        self._minute: int | None = None

    def on_sample(self, delay_s: float, *, now_s: float) -> float:
        """Take a delay; the base with it."""
        minute = int(now_s // 60)
        if minute != self._minute:
            self._minute = minute
            self._smallest_s.append(delay_s)
        else:
            self._smallest_s[-1] = min(self._smallest_s[-1], delay_s)
        return min(self._smallest_s)
