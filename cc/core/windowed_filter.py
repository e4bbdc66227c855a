"""The largest or smallest of the values of late, exactly: old values leave by age, beaten ones at once.

`at` counts in whatever the window counts in (seconds, round trips) and must not go back.
"""

from __future__ import annotations

from collections import deque


class WindowedMaximum:
    """The largest value seen in the last `window`."""

    __slots__ = ("_kept", "window")

    def __init__(self, window: float) -> None:
        self.window = window
        self._kept: deque[tuple[float, float]] = deque()

    def update(self, value: float, *, at: float) -> float:
        """Take a value; the largest of the window that ends at `at`."""
        kept = self._kept
        while kept and kept[-1][1] <= value:
            kept.pop()
        kept.append((at, value))
        self.expire(at=at)
        return kept[0][1]

    def expire(self, *, at: float) -> None:
        """Forget what is older than the window that ends at `at`."""
        while self._kept and self._kept[0][0] < at - self.window:
            self._kept.popleft()

    @property
    def best(self) -> float | None:
        """The largest value kept; None before the first, or when all have expired."""
        return self._kept[0][1] if self._kept else None


class WindowedMinimum:
    """The smallest value seen in the last `window`."""

    __slots__ = ("_negated",)

    def __init__(self, window: float) -> None:
        self._negated = WindowedMaximum(window)

    @property
    def window(self) -> float:
        """How long a value counts."""
        return self._negated.window

    @window.setter
    def window(self, window: float) -> None:
        self._negated.window = window

    def update(self, value: float, *, at: float) -> float:
        """Take a value; the smallest of the window that ends at `at`."""
        return -self._negated.update(-value, at=at)

    def expire(self, *, at: float) -> None:
        """Forget what is older than the window that ends at `at`."""
        self._negated.expire(at=at)

    @property
    def best(self) -> float | None:
        """The smallest value kept; None before the first, or when all have expired."""
        best = self._negated.best
        return None if best is None else -best
