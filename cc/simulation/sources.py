"""What an application gives a sender to send, and when."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Protocol


class Source(Protocol):
    """An application that hands bytes over."""

    @property
    def is_endless(self) -> bool:
        """Whether there is always more; then nothing else is asked."""

    @property
    def due_s(self) -> float:
        """When it hands over more; infinite if never, or not before everything is delivered."""

    def take_due(self, now_s: float) -> int:
        """The bytes that it has handed over by now."""

    def on_all_delivered(self, now_s: float) -> None:
        """Nothing is left to send nor in flight."""


@dataclass(frozen=True, slots=True)
class Bulk:
    """Sends without end."""

    is_endless: bool = True
    due_s: float = math.inf

    def take_due(self, now_s: float) -> int:
        """Never anything: it is endless."""
        return 0

    def on_all_delivered(self, now_s: float) -> None:
        """Never comes."""


class Backlog:
    """Hands over bytes at given times."""

    is_endless = False

    def __init__(self, handovers: Iterable[tuple[float, int]]) -> None:
        """`handovers`: (time in s, bytes), in order of time."""
        self._handovers = deque(handovers)

    @property
    def due_s(self) -> float:
        return self._handovers[0][0] if self._handovers else math.inf

    def take_due(self, now_s: float) -> int:
        """Everything up to now."""
        size_bytes = 0
        while self._handovers and self._handovers[0][0] <= now_s:
            size_bytes += self._handovers.popleft()[1]
        return size_bytes

    def on_all_delivered(self, now_s: float) -> None:
        """Makes no difference."""


class OnOff:
    """A player's segments: the next is handed over some time after all of the last was acknowledged."""

    is_endless = False

    def __init__(self, *, on_bytes: int, off_s: float, start_s: float = 0.0) -> None:
        """Raises ValueError for sizes and times that make no sense."""
        if on_bytes <= 0 or not 0 <= off_s < math.inf:
            raise ValueError(f"on-off source of {on_bytes} bytes and {off_s} s off needs a positive size, and a time")
        self._on_bytes = on_bytes
        self._off_s = off_s
        self._on_since_s: float | None = None
        self.due_s = start_s
        self.segment_times_s: list[float] = []
        """From its handover until all of it was acknowledged, of each that is."""

    @property
    def mean_segment_s(self) -> float | None:
        """None while none is delivered."""
        return fmean(self.segment_times_s) if self.segment_times_s else None

    def take_due(self, now_s: float) -> int:
        """A segment."""
        if now_s < self.due_s:
            return 0
        self.due_s = math.inf
        self._on_since_s = now_s
        return self._on_bytes

    def on_all_delivered(self, now_s: float) -> None:
        """The pause begins."""
        if self._on_since_s is not None:
            self.segment_times_s.append(now_s - self._on_since_s)
            self._on_since_s = None
            self.due_s = now_s + self._off_s
