"""How late a link's emulator lets packets go: mahimahi's processes count whole milliseconds and sleep in such, too.

mm-delay and mm-link work out when a packet leaves as a whole millisecond. They learn that it has come when `poll` wakes
them, which they told at some instant between two milliseconds how many whole ones to sleep (mahimahi,
frontend/link_queue.cc and delay_queue.cc, `wait_time`), and the system wakes them late. A packet that is handed on
after the next millisecond has begun counts as of that one. Schemes that steer by the queueing delay of single packets
feel it (`transport/relay/README.md`, Clock).

The simulation draws that instant: it tells a packet's departure before it knows of the packets behind it, which also
wake the process. The relay knows of them in time, and follows the processes themselves (`transport/relay/polling.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from cc.core.random_source import RandomSource

MILLISECONDS_PER_S = 1000
ROUNDING_MS = 1e-6  # far above that of seconds, far below what makes a difference
PERIOD_MS = 1021  # a prime, so that it goes evenly into few periods of traces
WAKING_S = 0.00023
"""Timer slack and scheduling, on two quiet 2.5 GHz cores: what gives a Copa that takes each delay for a queue
(`CLOCK_GRAIN_S` 0) mahimahi's rate on six constant links.

0.05 ms more take 8 % of such a Copa's rate at 24 Mbit/s. The choice: e2e/CHOICES.md ("How late the simulated and
relayed links wake").
"""


class PollingProcess:
    """What is due in one millisecond is handed on together: late by the system's waking, and by up to a millisecond."""

    __slots__ = ("_lateness_s",)

    def __init__(self, rng: RandomSource, *, waking_s: float = WAKING_S) -> None:
        self._lateness_s = tuple(waking_s + rng.random() / MILLISECONDS_PER_S for _ in range(PERIOD_MS))

    def lateness_s(self, due_s: float) -> float:
        """Lateness of what is due at a whole millisecond; differs by less than that, so that nothing overtakes."""
        return self._lateness_s[round(due_s * MILLISECONDS_PER_S) % PERIOD_MS]

    def counted_s(self, read_s: float) -> float:
        """When the next process takes a packet for come, delay aside, that this one read at `read_s`.

        That one counts whole milliseconds, so that only the next matters: it is the packet's if it was handed on in it.
        """
        begun_ms = math.floor(read_s * MILLISECONDS_PER_S + ROUNDING_MS)
        is_next = self._lateness_s[begun_ms % PERIOD_MS] * MILLISECONDS_PER_S >= 1
        return (begun_ms + 1) / MILLISECONDS_PER_S if is_next else read_s


class LinkClock(Protocol):
    """The clock of one direction; times count from the trace's time 0."""

    def entered_s(self, read_s: float) -> float:
        """When a packet counts as come at the queue, delay aside, that the emulator read at `read_s`."""

    def late_s(self, left_s: float) -> float:
        """How late it is at the far end, delay aside, having left the queue at `left_s`, a whole millisecond."""


class DownClock:
    """mm-delay, then mm-link with the queue."""

    def __init__(self, delay: PollingProcess, link: PollingProcess) -> None:
        self._delay = delay
        self._link = link

    def entered_s(self, read_s: float) -> float:
        return self._delay.counted_s(read_s)

    def late_s(self, left_s: float) -> float:
        return self._link.lateness_s(left_s)


class UpClock:
    """mm-link with the queue, then mm-delay."""

    def __init__(self, link: PollingProcess, delay: PollingProcess) -> None:
        self._link = link
        self._delay = delay

    def entered_s(self, read_s: float) -> float:
        return read_s

    def late_s(self, left_s: float) -> float:
        read_s = self._link.counted_s(left_s)
        return read_s - left_s + self._delay.lateness_s(read_s)


@dataclass(frozen=True, slots=True)
class LinkClocks:
    """Those of both directions."""

    down: DownClock
    up: UpClock

    @classmethod
    def drawn(cls, rng: RandomSource) -> LinkClocks:
        """Clocks whose processes are drawn from one generator."""
        delay_down, link_down, link_up, delay_up = (PollingProcess(rng) for _ in range(4))
        return cls(DownClock(delay_down, link_down), UpClock(link_up, delay_up))
