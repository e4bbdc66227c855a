"""A line a second at most about newcomers, however many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

INTERVAL_S = 1.0


class WaveLog:
    """Counts what happens by name; says the first at once, and what followed when a second is over."""

    def __init__(self, say: Callable[[str], None], call_later: Callable[[float, Callable[[], None]], object]) -> None:
        self._say = say
        self._call_later = call_later
        self._counts: Counter[str] = Counter()
        self._is_waiting = False

    def count(self, what: str) -> None:
        """It happened once more."""
        self._counts[what] += 1
        if not self._is_waiting:
            self._tell()

    def _tell(self) -> None:
        self._say(", ".join(f"{count} {what}" for what, count in sorted(self._counts.items())))
        self._counts.clear()
        self._is_waiting = True
        self._call_later(INTERVAL_S, self._end_of_interval)

    def _end_of_interval(self) -> None:
        self._is_waiting = False
        if self._counts:
            self._tell()
