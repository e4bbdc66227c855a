"""How late an asyncio loop wakes, seen by a timer of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cc.core.lateness import Lateness

INTERVAL_S = 0.02  # fifty wakings a second cost a thousandth of a core, and miss nothing that a film would show
IDLE_INTERVAL_S = 0.25


class LoopLateness:
    """Watches the running loop until it is stopped."""

    def __init__(
        self,
        *,
        is_busy: Callable[[], bool] = lambda: True,
        on_wake: Callable[[float], None] = lambda now_s: None,
    ) -> None:
        """`is_busy`: whether anybody suffers if the loop is late. `on_wake` is told each time, after `lateness`."""
        self.lateness = Lateness()
        self._is_busy = is_busy
        self._on_wake = on_wake
        self._loop = asyncio.get_running_loop()
        self._arm()

    def late_s(self) -> float:
        """By how much the loop's present turn is late, as far as is known: what can be read comes before timers."""
        return max(0.0, self._loop.time() - self._due_s)

    def stop(self) -> None:
        """Watch no longer."""
        self._timer.cancel()

    def _wake(self) -> None:
        woke_s = self._loop.time()
        self.lateness.on_wake(due_s=self._due_s, woke_s=woke_s)
        self._on_wake(woke_s)
        self._arm()

    def _arm(self) -> None:
        self._due_s = self._loop.time() + (INTERVAL_S if self._is_busy() else IDLE_INTERVAL_S)
        self._timer = self._loop.call_at(self._due_s, self._wake)
