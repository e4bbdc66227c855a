"""mahimahi's processes as they sleep, for a relay whose packets are to be as late as mahimahi's.

mm-delay and mm-link are two processes each, one a way. Each holds packets that fall due at whole milliseconds, and
sleeps in `poll` for as many whole milliseconds as there are from the one in which it looked last to the one in which
something falls due (util/event_loop.cc, frontend/delay_queue.cc, frontend/link_queue.cc; packet/packetshell.cc
connects them). So it acts as late in that millisecond as it looked in the other. It looks whenever it acts, and when a
packet comes in: what has fallen due meanwhile is handed on at once. mm-link looks at every opportunity besides; but
while packets wait each opportunity lets one go, and when one comes to an empty queue that look is the last.

Where one packet is under way at a time, the delay is thus the same for all; many cut each other's lateness short.
`cc/links/clock.py` draws it instead: in the simulation a packet's departure is told before those that come behind it
are known. The relay itself is woken for a way's first process, to read, and for its last one, to send.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cc.core.random_source import RandomSource
from cc.links.clock import MILLISECONDS_PER_S, ROUNDING_MS

WAKING_S = (0.00007, 0.00017)
"""By which the system wakes a process late, and what it then takes, from and to, on two 2.5 GHz cores.

With 0.01 ms less the delays of packets sent every 2.3 ms over 60 Mbit/s were alike through mahimahi and through the
relay, and Copa had 1.7 % more than under mahimahi in the median of five links (e2e/FIGURES.md). The simulation's is
longer, since its hosts take no time.
"""
MEAN_WAKING_S = sum(WAKING_S) / 2


class PollLoop:
    """When one of the processes acts. Times are the relay's, milliseconds count from `zero_s`."""

    def __init__(self, *, zero_s: float, rng: RandomSource) -> None:
        self._zero_s = zero_s
        self._rng = rng
        self._looked_ms = 0.0
        self._waking_ms = MEAN_WAKING_S * MILLISECONDS_PER_S
        """The next one."""

    def look(self, at_s: float) -> None:
        """It is awake; what happened before it looked last changes nothing."""
        at_ms = (at_s - self._zero_s) * MILLISECONDS_PER_S
        if at_ms > self._looked_ms:
            self._looked_ms = at_ms
            low_s, high_s = WAKING_S
            self._waking_ms = (low_s + self._rng.random() * (high_s - low_s)) * MILLISECONDS_PER_S

    def whole_ms_s(self, at_s: float) -> float:
        """The beginning of this millisecond, which is what it takes for the time."""
        return self._zero_s + math.floor((at_s - self._zero_s) * MILLISECONDS_PER_S + ROUNDING_MS) / MILLISECONDS_PER_S

    def acts_s(self, due_s: float) -> float:
        """When it hands on what is due at this whole millisecond, unless it looks before."""
        due_ms = math.ceil((due_s - self._zero_s) * MILLISECONDS_PER_S - ROUNDING_MS)
        looked_ms = self._looked_ms
        if due_ms <= looked_ms + ROUNDING_MS:
            return max(due_s, self._zero_s + looked_ms / MILLISECONDS_PER_S)
        return self._zero_s + (due_ms + looked_ms % 1 + self._waking_ms) / MILLISECONDS_PER_S


@dataclass(frozen=True)
class Hop:
    """A process, and that to which it hands packets on; the waking of the last one is the relay's own."""

    loop: PollLoop
    next_loop: PollLoop | None

    def acts_s(self, due_s: float) -> float:
        """When it hands on what is due at this whole millisecond, as far as is known now."""
        acts_s = self.loop.acts_s(due_s)
        return max(due_s, acts_s - MEAN_WAKING_S) if self.next_loop is None else acts_s

    def hand_on(self, at_s: float) -> None:
        """It does."""
        if self.next_loop is None:
            self.loop.look(at_s + MEAN_WAKING_S)
        else:
            self.loop.look(at_s)
            self.next_loop.look(at_s)


@dataclass(frozen=True)
class PolledWay:
    """The processes of one direction, in a packet's order; they are one pipe's alone."""

    ahead: Hop | None
    """mm-delay on the way down."""
    queue: Hop
    """mm-link."""
    behind: Hop | None
    """mm-delay on the way up."""

    @property
    def first(self) -> PollLoop:
        """That packets come to."""
        return self.queue.loop if self.ahead is None else self.ahead.loop


def polled_up(*, zero_s: float, rng: RandomSource) -> PolledWay:
    """Of `mm-delay D mm-link UP DOWN`, towards the server."""
    link, delay = PollLoop(zero_s=zero_s, rng=rng), PollLoop(zero_s=zero_s, rng=rng)
    return PolledWay(ahead=None, queue=Hop(link, delay), behind=Hop(delay, None))


def polled_down(*, zero_s: float, rng: RandomSource) -> PolledWay:
    """The same, towards the client."""
    delay, link = PollLoop(zero_s=zero_s, rng=rng), PollLoop(zero_s=zero_s, rng=rng)
    return PolledWay(ahead=Hop(delay, link), queue=Hop(link, None), behind=None)
