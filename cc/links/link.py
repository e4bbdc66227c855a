"""A link in virtual time with mahimahi's semantics (mm-link, mm-loss, mm-delay), without an event heap.

A trace lists delivery opportunities in milliseconds and repeats after its last entry. Each opportunity carries 1504
bytes. What a packet leaves of an opportunity goes to the next packet if that one is already waiting; an
opportunity that finds nothing waiting is lost. A packet that arrives at the very instant of an opportunity misses it.
Since the queue is first in, first out, a packet's departure is known when it arrives, so nothing needs to be scheduled.
The simulation runs this in virtual time, the relay of `transport` in real time.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import gt

from cc.core.random_source import RandomSource

OPPORTUNITY_BYTES = 1504  # mahimahi's PACKET_SIZE: an Ethernet payload and the four bytes of the TUN header
OVERHEAD_BYTES = 32  # IPv4 20, UDP 8, TUN 4: what mahimahi counts besides the UDP payload
MAX_PAYLOAD_BYTES = OPPORTUNITY_BYTES - OVERHEAD_BYTES

SLOWEST_PER_S = 1e-3  # opportunities: of a slower link no session would open
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
    """Arrival at the far end."""
    queueing_delay_s: float
    """Time from entering the queue to leaving it, as in mahimahi's log."""


def constant_rate_opportunities_ms(mbit_per_s: float) -> list[int]:
    """A trace of `mbit_per_s` of 1504-byte opportunities: those of about a second, at least one.

    Raises ValueError for rates that would need less than one opportunity in a thousand seconds, or are not positive.
    """
    opportunities_per_s = mbit_per_s * 1e6 / 8 / OPPORTUNITY_BYTES
    if not SLOWEST_PER_S <= opportunities_per_s < float("inf"):
        slowest_bits_per_s = SLOWEST_PER_S * 8 * OPPORTUNITY_BYTES
        raise ValueError(f"a link of {mbit_per_s} Mbit/s cannot be traced; take at least {slowest_bits_per_s:g} bit/s")
    count = max(1, round(opportunities_per_s))
    return [round((index + 1) * 1000 / opportunities_per_s) for index in range(count)]


class OpportunityCursor:
    """An opportunity of a trace that repeats after its last entry, and those that follow it."""

    __slots__ = ("following_s", "opportunities_ms", "time_s")

    def __init__(self, opportunities_ms: Sequence[int]) -> None:
        """Begin at the first opportunity. Raises ValueError for a trace that mahimahi would refuse."""
        check_trace(opportunities_ms)
        self.opportunities_ms = tuple(opportunities_ms)
        self.time_s = 0.0
        """When the opportunity is."""
        self.following_s = self._times_s(cycle=0, index=0)
        """The times of those that follow; whoever takes one from here sets `time_s` to it."""
        self.advance()

    def advance(self) -> float:
        """Go on to the next opportunity; its time."""
        self.time_s = next(self.following_s)
        return self.time_s

    def seek_after(self, now_s: float) -> float:
        """Move to the first opportunity later than `now_s`, which must not lie before the present one; its time."""
        before_ms = max(0.0, now_s * 1000 - SEEK_MARGIN_MS)
        cycle, rest_ms = divmod(before_ms, self.opportunities_ms[-1])
        self.following_s = self._times_s(int(cycle), bisect_right(self.opportunities_ms, rest_ms))
        while self.advance() <= now_s:
            pass
        return self.time_s

    def _times_s(self, cycle: int, index: int) -> Iterator[float]:
        opportunities_ms = self.opportunities_ms
        period_ms = opportunities_ms[-1]
        begin_ms = cycle * period_ms
        for time_ms in map(opportunities_ms.__getitem__, range(index, len(opportunities_ms))):
            yield (begin_ms + time_ms) / 1000
        while True:
            begin_ms += period_ms
            for time_ms in opportunities_ms:
                # whole milliseconds until the last step, or the same instant would differ from cycle to cycle
                yield (begin_ms + time_ms) / 1000


class LinkQueue:
    """A droptail queue served by a trace. Times count from the trace's time 0."""

    def __init__(self, opportunities_ms: Sequence[int], *, limit: QueueLimit | None = None) -> None:
        """Raises ValueError for a trace that mahimahi would refuse."""
        self._cursor = OpportunityCursor(opportunities_ms)
        self._limit = QueueLimit() if limit is None else limit
        self._left_bytes = OPPORTUNITY_BYTES
        """What is left of the opportunity now in use."""
        # packets whose service has not begun: (when it begins, bytes)
        self._waiting: deque[tuple[float, int]] = deque()
        self._waiting_bytes = 0

    @property
    def opportunities_ms(self) -> Sequence[int]:
        """The trace."""
        return self._cursor.opportunities_ms

    @property
    def busy_until_s(self) -> float:
        """What has yet to enter leaves no sooner."""
        return self._cursor.time_s

    def enter(self, size_bytes: int, *, now_s: float) -> float | None:
        """When a packet of `size_bytes` of UDP payload leaves; None if the queue is full. Times must not go back.

        Raises ValueError for a packet that no opportunity of mahimahi's could carry.
        """
        return self.enter_all((size_bytes,), times_s=(now_s,))[0]

    def enter_all(self, sizes_bytes: Sequence[int], *, times_s: Sequence[float]) -> list[float | None]:
        """`enter` for packets in order."""
        if max(sizes_bytes) > MAX_PAYLOAD_BYTES:
            raise ValueError(f"packet of {max(sizes_bytes)} bytes is too large; {MAX_PAYLOAD_BYTES} fit")
        most_packets = math.inf if self._limit.packets is None else self._limit.packets
        most_bytes = math.inf if self._limit.wire_bytes is None else self._limit.wire_bytes
        waiting = self._waiting
        waiting_bytes = self._waiting_bytes
        following_s = self._cursor.following_s
        begin_s = self._cursor.time_s
        left_bytes = self._left_bytes
        departures_s: list[float | None] = []
        while waiting and waiting[0][0] <= times_s[0]:
            waiting_bytes -= waiting.popleft()[1]
        all_bytes = sum(sizes_bytes) + OVERHEAD_BYTES * len(sizes_bytes)
        may_overflow = len(waiting) + len(sizes_bytes) > most_packets or waiting_bytes + all_bytes > most_bytes
        for size_bytes, now_s in zip(sizes_bytes, times_s, strict=True):
            missing_bytes = size_bytes + OVERHEAD_BYTES
            if may_overflow:
                while waiting and waiting[0][0] <= now_s:
                    waiting_bytes -= waiting.popleft()[1]
                if len(waiting) >= most_packets or waiting_bytes + missing_bytes > most_bytes:
                    departures_s.append(None)
                    continue
            if begin_s <= now_s:  # the opportunities in between found the queue empty
                begin_s = self._cursor.seek_after(now_s)
                following_s = self._cursor.following_s
                left_bytes = OPPORTUNITY_BYTES
            elif left_bytes == 0:
                begin_s = next(following_s)
                left_bytes = OPPORTUNITY_BYTES
            waiting.append((begin_s, missing_bytes))
            waiting_bytes += missing_bytes
            while missing_bytes > left_bytes:
                missing_bytes -= left_bytes
                begin_s = next(following_s)
                left_bytes = OPPORTUNITY_BYTES
            left_bytes -= missing_bytes
            departures_s.append(begin_s)
        self._cursor.time_s = begin_s
        self._left_bytes = left_bytes
        self._waiting_bytes = waiting_bytes
        return departures_s

    def queued_packets(self, *, now_s: float) -> int:
        """Packets in the queue at `now_s`, without the one being sent."""
        waiting = self._waiting
        while waiting and waiting[0][0] <= now_s:
            self._waiting_bytes -= waiting.popleft()[1]
        return len(waiting)


class ChanceLoss:
    """Loses packets at random, as mm-loss does."""

    def __init__(self, ratio: float, rng: RandomSource | None) -> None:
        """Raises ValueError for a ratio that is none, and for loss without a random source."""
        if not 0 <= ratio <= 1:
            raise ValueError(f"loss ratio {ratio} must lie in [0, 1]")
        if ratio > 0 and rng is None:
            raise ValueError(f"a loss ratio of {ratio} needs a random generator; pass rng")
        self._ratio = ratio
        self._rng = rng
        self.is_possible = ratio > 0
        """If not, nothing need be asked."""
        self.packets_lost = 0

    def strikes(self) -> bool:
        """Whether the next packet is lost; ask once for each, in their order."""
        if self._rng is None or not self.is_possible or self._rng.random() >= self._ratio:
            return False
        self.packets_lost += 1
        return True

    def survivors_s(self, departures_s: list[float | None]) -> list[float | None]:
        """The same times, with None also for packets that are lost; that very list where none can be."""
        if not self.is_possible:
            return departures_s
        return [None if left_s is None or self.strikes() else left_s for left_s in departures_s]


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
        self.loss = ChanceLoss(loss_ratio, rng)
        self._queue = LinkQueue(opportunities_ms, limit=queue)
        self.delay_s = delay_s
        self.packets_sent = 0
        self.packets_dropped = 0
        """Packets dropped by the full queue."""

    @property
    def opportunities_ms(self) -> Sequence[int]:
        """The trace."""
        return self._queue.opportunities_ms

    @property
    def busy_until_s(self) -> float:
        """What is sent from now on leaves the queue no sooner."""
        return self._queue.busy_until_s

    @property
    def packets_lost(self) -> int:
        """Packets lost by chance."""
        return self.loss.packets_lost

    @property
    def packets_carried(self) -> int:
        """Packets carried to the far end."""
        return self.packets_sent - self.packets_dropped - self.packets_lost

    def send(self, size_bytes: int, *, now_s: float) -> Passage | None:
        """Put a packet of `size_bytes` of UDP payload on the link; None if it is lost. Times must not go back.

        Raises ValueError for a packet that no opportunity of mahimahi's could carry.
        """
        departure_s = self.send_all((size_bytes,), times_s=(now_s,))[0]
        if departure_s is None or self.loss.strikes():
            return None
        return Passage(departure_s + self.delay_s, departure_s - now_s)

    def send_all(self, sizes_bytes: Sequence[int], *, times_s: Sequence[float]) -> list[float | None]:
        """When packets that come at these times leave the queue, in order; None for those that it drops.

        The caller throws `loss` for each of the others, once, in their order.
        """
        departures_s = self._queue.enter_all(sizes_bytes, times_s=times_s)
        self.packets_sent += len(departures_s)
        if None in departures_s:
            self.packets_dropped += departures_s.count(None)
        return departures_s

    def queued_packets(self, *, now_s: float) -> int:
        """Packets in the queue at `now_s`, without the one being sent."""
        return self._queue.queued_packets(now_s=now_s)


def check_trace(opportunities_ms: Sequence[int]) -> None:
    """Raises ValueError for a trace that mahimahi would refuse."""
    if not opportunities_ms:
        raise ValueError("a trace needs at least one delivery opportunity")
    if opportunities_ms[0] < 0 or any(map(gt, opportunities_ms, islice(opportunities_ms, 1, None))):
        raise ValueError("a trace's times must not be negative nor go back")
    if opportunities_ms[-1] == 0:
        raise ValueError("a trace must last longer than 0 ms")
