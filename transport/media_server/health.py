"""Whether newcomers get in, as a thread beside the event loop can tell: also while the loop stands still."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

STALE_AFTER_S = 30.0
"""As the web server has it (server/newcomer-watch.ts): two checks of the server by itself, and what they may take."""


@dataclass(frozen=True, slots=True)
class Health:
    """Whether a newcomer gets in."""

    status: str
    """`ok`, or what is wrong."""
    workers: int
    """Those that take sessions."""


class LastSign:
    """When the event loop last gave a sign of life."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: in seconds; called in threads, too."""
        self._clock = clock
        self._at_s: float | None = None

    def give(self) -> None:
        """The loop turns."""
        self._at_s = self._clock()

    def problem(self) -> str | None:
        """What keeps the last one from counting; None where it counts."""
        if self._at_s is None:
            return "not yet: no newcomer has been tried"
        silent_s = self._clock() - self._at_s
        return (
            f"no sign of life for {silent_s:.0f} s: the event loop stands still" if silent_s > STALE_AFTER_S else None
        )
