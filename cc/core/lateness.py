"""How late a host wakes: what is done late, or timed late, looks like a queue in the network.

It is here, beside what receivers and senders are told, because both judge their times by it. A host feeds it with the
times at which its loop was to wake and at which it did; it reads no clock itself.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from cc.core.quantile import quantile

RECENT_S = 1.0
SMALLEST_S = 1e-4  # what is less counts as this; timers are late by up to a millisecond on an idle machine
STEPS_PER_DOUBLING = 8  # the whole run's percentile is right to a twelfth


@dataclass(frozen=True, slots=True)
class LatenessSummary:
    """How late a whole run's wakings were."""

    p99_s: float
    max_s: float


class Lateness:
    """What one loop's wakings were late by: the latest one, those of the last second, and all of them."""

    def __init__(self) -> None:
        self.latest_s = 0.0
        """Lateness of the newest waking, s."""
        self._recent: deque[tuple[float, float]] = deque()
        self._counts: dict[int, int] = {}
        self._wakings = 0
        self._max_s = 0.0

    def on_wake(self, *, due_s: float, woke_s: float) -> None:
        """The loop was to wake at `due_s` and woke at `woke_s`, on one clock; earlier than due is not late."""
        late_s = max(0.0, woke_s - due_s)
        self.latest_s = late_s
        recent = self._recent
        recent.append((woke_s, late_s))
        while recent[0][0] < woke_s - RECENT_S:
            recent.popleft()
        step = math.ceil(STEPS_PER_DOUBLING * math.log2(max(late_s, SMALLEST_S) / SMALLEST_S))
        self._counts[step] = self._counts.get(step, 0) + 1
        self._wakings += 1
        self._max_s = max(self._max_s, late_s)

    @property
    def p99_s(self) -> float:
        """99th percentile of the wakings in the second before the newest, s; 0 before the first."""
        return quantile(sorted(late_s for _, late_s in self._recent), 0.99) if self._recent else 0.0

    @property
    def median_s(self) -> float:
        """Median of the wakings in the second before the newest, s: what a waking typically is late by."""
        return quantile(sorted(late_s for _, late_s in self._recent), 0.5) if self._recent else 0.0

    @property
    def max_s(self) -> float:
        """The latest of the wakings in the second before the newest, s."""
        return max((late_s for _, late_s in self._recent), default=0.0)

    def summary(self) -> LatenessSummary | None:
        """Summary of all wakings, in bounded memory; None before the first."""
        if self._wakings == 0:
            return None
        beyond = self._wakings - math.ceil(0.99 * self._wakings)
        p99_s = self._max_s
        for step in sorted(self._counts, reverse=True):
            if beyond < self._counts[step]:
                p99_s = min(self._max_s, SMALLEST_S * 2.0 ** (step / STEPS_PER_DOUBLING))
                break
            beyond -= self._counts[step]
        return LatenessSummary(p99_s=p99_s, max_s=self._max_s)
