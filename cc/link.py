"""A link in virtual time with mahimahi's semantics (mm-link, mm-loss, mm-delay), without an event heap.

A trace lists delivery opportunities in milliseconds and repeats after its last entry. Each opportunity carries 1504
bytes. What a packet leaves of an opportunity goes to the next packet if that one is already waiting; an
opportunity that finds nothing waiting is lost. A packet that arrives at the very instant of an opportunity misses it.
Since the queue is first in, first out, a packet's departure is known when it arrives, so nothing needs to be scheduled.
The simulation runs this in virtual time, the relay of `transport` in real time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from operator import gt

from cc.random_source import RandomSource

OPPORTUNITY_BYTES = 1504  # mahimahi's PACKET_SIZE: an Ethernet payload and the four bytes of the TUN header
OVERHEAD_BYTES = 32  # IPv4 20, UDP 8, TUN 4: what mahimahi counts besides the UDP payload
MAX_PAYLOAD_BYTES = OPPORTUNITY_BYTES - OVERHEAD_BYTES

SEEK_MARGIN_MS = 1e-3  # far above rounding, far below the trace's resolution


@dataclass(frozen=True, slots=True)
class QueueLimit:
    """A droptail queue's size; None is no limit. The packet being sent is not in the queue, as in mahimahi."""

    packets: int | None = None
    wire_bytes: int | None = None
    """Counted with `OVERHEAD_BYTES` for each packet, as mahimahi does."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A packet that the link carried."""

    arrival_s: float
    """At the far end."""
    queueing_delay_s: float
    """From entering the queue to leaving it, as in mahimahi's log."""


def constant_rate_opportunities_ms(megabits_per_s: float) -> list[int]:
    """A trace of `megabits_per_s` of 1504-byte opportunities, at least one second long.

    Raises ValueError for rates that would need less than one opportunity in a thousand seconds, or are not positive.
    """
    opportunities_per_s = megabits_per_s * 1e6 / 8 / OPPORTUNITY_BYTES
    if not 1e-3 <= opportunities_per_s < float("inf"):
        raise ValueError(f"a link of {megabits_per_s} Mbit/s cannot be traced; take at least 0.0001 Mbit/s")
    count = max(1, round(opportunities_per_s))
    return [round((index + 1) * 1000 / opportunities_per_s) for index in range(count)]


class LinkQueue:
    """A droptail queue served by a trace. Times count from the trace's time 0."""

    def __init__(self, opportunities_ms: Sequence[int], *, limit: QueueLimit | None = None) -> None:
        """Raises ValueError for a trace that mahimahi would refuse."""
        _check_trace(opportunities_ms)
        self.opportunities_ms = tuple(opportunities_ms)
        self._period_ms = opportunities_ms[-1]
        self._limit = QueueLimit() if limit is None else limit
        # the opportunity now in use
        self._cycle = 0
        self._index = 0
        self._time_s = opportunities_ms[0] / 1000
        self._left_bytes = OPPORTUNITY_BYTES
        # packets whose service has not begun: (when it begins, bytes)
        self._waiting: deque[tuple[float, int]] = deque()
        self._waiting_bytes = 0

    def enter(self, size_bytes: int, *, now_s: float) -> float | None:
        """When a packet of `size_bytes` of UDP payload leaves; None if the queue is full. Times must not go back.

        Raises ValueError for a packet that no opportunity of mahimahi's could carry.
        """
        wire_bytes = size_bytes + OVERHEAD_BYTES
        if wire_bytes > OPPORTUNITY_BYTES:
            raise ValueError(f"packet of {size_bytes} bytes is too large; {MAX_PAYLOAD_BYTES} fit")
        if self._is_full_for(wire_bytes, now_s):
            return None
        return self._serve(wire_bytes, now_s)

    def enter_train(self, sizes_bytes: Sequence[int], *, now_s: float) -> list[float | None]:
        """`enter` for packets that come together, in order."""
        return [self.enter(size_bytes, now_s=now_s) for size_bytes in sizes_bytes]

    def queued_packets(self, *, now_s: float) -> int:
        """Packets in the queue at `now_s`, without the one being sent."""
        self._forget_served(now_s)
        return len(self._waiting)

    def _is_full_for(self, wire_bytes: int, now_s: float) -> bool:
        self._forget_served(now_s)
        limit = self._limit
        return (limit.packets is not None and len(self._waiting) >= limit.packets) or (
            limit.wire_bytes is not None and self._waiting_bytes + wire_bytes > limit.wire_bytes
        )

    def _forget_served(self, now_s: float) -> None:
        waiting = self._waiting
        while waiting and waiting[0][0] <= now_s:
            self._waiting_bytes -= waiting.popleft()[1]

    def _serve(self, wire_bytes: int, now_s: float) -> float:
        """Use opportunities for a packet that enters the queue now; the time at which its last byte leaves."""
        if self._time_s <= now_s:
            self._seek_after(now_s)
        elif self._left_bytes == 0:
            self._next_opportunity()
        self._waiting.append((self._time_s, wire_bytes))
        self._waiting_bytes += wire_bytes
        missing_bytes = wire_bytes
        while missing_bytes > self._left_bytes:
            missing_bytes -= self._left_bytes
            self._next_opportunity()
        self._left_bytes -= missing_bytes
        return self._time_s

    def _next_opportunity(self) -> None:
        self._index += 1
        if self._index == len(self.opportunities_ms):
            self._index = 0
            self._cycle += 1
        # whole milliseconds until the last step, or the same instant would differ from cycle to cycle
        self._time_s = (self._cycle * self._period_ms + self.opportunities_ms[self._index]) / 1000
        self._left_bytes = OPPORTUNITY_BYTES

    def _seek_after(self, now_s: float) -> None:
        """Move to the first opportunity later than `now_s`; those in between found the queue empty."""
        before_ms = max(0.0, now_s * 1000 - SEEK_MARGIN_MS)
        cycle = int(before_ms // self._period_ms)
        if cycle > self._cycle:
            self._cycle = cycle
            self._index = 0
        later = bisect_right(self.opportunities_ms, before_ms - self._cycle * self._period_ms, lo=self._index)
        self._index = later - 1
        self._next_opportunity()
        while self._time_s <= now_s:
            self._next_opportunity()


class Link:
    """One direction of a path: a droptail queue served by a trace, then random loss, then a fixed delay.

    The loss is behind the queue, as where mm-loss runs inside mm-link: what is lost has used the link.
    """

    def __init__(
        self,
        opportunities_ms: Sequence[int],
        *,
        queue: QueueLimit | None = None,
        delay_s: float = 0.0,
        loss_ratio: float = 0.0,
        rng: RandomSource | None = None,
    ) -> None:
        """Raises ValueError for a trace that mahimahi would refuse, and for loss without a random source."""
        if not 0 <= loss_ratio <= 1:
            raise ValueError(f"loss ratio {loss_ratio} must lie in [0, 1]")
        if loss_ratio > 0 and rng is None:
            raise ValueError(f"a loss ratio of {loss_ratio} needs a random generator; pass rng")
        self._queue = LinkQueue(opportunities_ms, limit=queue)
        self.delay_s = delay_s
        self._loss_ratio = loss_ratio
        self._rng = rng
        self.packets_sent = 0
        self.packets_carried = 0
        self.packets_dropped = 0
        """By the full queue."""
        self.packets_lost = 0
        """By chance."""

    def send(self, size_bytes: int, *, now_s: float) -> Passage | None:
        """Put a packet of `size_bytes` of UDP payload on the link; None if it is lost. Times must not go back.

        Raises ValueError for a packet that no opportunity of mahimahi's could carry.
        """
        departure_s = self._queue.enter(size_bytes, now_s=now_s)
        self.packets_sent += 1
        if departure_s is None:
            self.packets_dropped += 1
            return None
        if self._rng is not None and self._loss_ratio > 0 and self._rng.random() < self._loss_ratio:
            self.packets_lost += 1
            return None
        self.packets_carried += 1
        return Passage(departure_s + self.delay_s, departure_s - now_s)

    def send_train(self, sizes_bytes: Sequence[int], *, now_s: float) -> list[float | None]:
        """When packets that come together leave the queue, in order; None for those that it drops.

        Ask `loses` of each of the others whether chance takes it, once, in their order.
        """
        departures_s = self._queue.enter_train(sizes_bytes, now_s=now_s)
        self.packets_sent += len(departures_s)
        dropped = departures_s.count(None)
        self.packets_dropped += dropped
        self.packets_carried += len(departures_s) - dropped
        return departures_s

    @property
    def is_lossy(self) -> bool:
        """Whether packets are lost by chance."""
        return self._loss_ratio > 0

    def loses(self) -> bool:
        """Whether chance takes the next packet that left the queue."""
        if self._rng is None or self._rng.random() >= self._loss_ratio:
            return False
        self.packets_carried -= 1
        self.packets_lost += 1
        return True

    @property
    def opportunities_ms(self) -> Sequence[int]:
        """The trace."""
        return self._queue.opportunities_ms

    def queued_packets(self, *, now_s: float) -> int:
        """Packets in the queue at `now_s`, without the one being sent."""
        return self._queue.queued_packets(now_s=now_s)


def _check_trace(opportunities_ms: Sequence[int]) -> None:
    if not opportunities_ms:
        raise ValueError("a trace needs at least one delivery opportunity")
    if opportunities_ms[0] < 0 or any(map(gt, opportunities_ms, islice(opportunities_ms, 1, None))):
        raise ValueError("a trace's times must not be negative nor go back")
    if opportunities_ms[-1] == 0:
        raise ValueError("a trace must last longer than 0 ms")
