"""A queue served by a trace with mahimahi's rules, where what leaves is decided only when it leaves.

`cc.links.link.LinkQueue` does the same for droptail alone, and faster: a packet's departure is known as soon as it
enters. The simulation runs this in virtual time, the relay of `transport` in real time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Generic, TypeVar

from cc.links.link import MAX_PAYLOAD_BYTES, OPPORTUNITY_BYTES, OVERHEAD_BYTES, OpportunityCursor
from cc.links.queueing.discipline import DropTail, Mark, QueuedPacket

TokenT = TypeVar("TokenT")


class Departure(Generic[TokenT]):
    """A packet that left the queue, or was dropped after it had entered."""

    __slots__ = ("departed_s", "entered_s", "is_dropped", "mark", "token")

    def __init__(
        self, token: TokenT, entered_s: float, departed_s: float, *, is_dropped: bool = False, mark: Mark | None = None
    ) -> None:
        self.token = token
        self.entered_s = entered_s
        self.departed_s = departed_s
        self.is_dropped = is_dropped
        self.mark = mark


class ServedQueue(Generic[TokenT]):
    """Packets enter with a token and come out with it, in order. Times count from the trace's time 0."""

    def __init__(self, opportunities_ms: Sequence[int], discipline: DropTail[TokenT]) -> None:
        """Raises ValueError for a trace that mahimahi would refuse."""
        self._cursor = OpportunityCursor(opportunities_ms)
        self._discipline = discipline
        self._in_transit: QueuedPacket[TokenT] | None = None
        self._missing_bytes = 0
        """What has still to be sent of the packet in transit."""

    @property
    def due_s(self) -> float:
        """When `serve` has something to do next; infinite while nothing waits."""
        return self._cursor.time_s if len(self) > 0 else math.inf

    def __len__(self) -> int:
        return len(self._discipline) + (self._in_transit is not None)

    def enter(self, token: TokenT, size_bytes: int, *, now_s: float) -> bool:
        """A packet of `size_bytes` of UDP payload arrives; False if it is dropped. Call `serve(now_s)` first.

        Raises ValueError for a packet that no opportunity of mahimahi's could carry.
        """
        if size_bytes > MAX_PAYLOAD_BYTES:
            raise ValueError(f"packet of {size_bytes} bytes is too large; {MAX_PAYLOAD_BYTES} fit")
        if self._cursor.time_s <= now_s:
            self._cursor.seek_after(now_s)
        return self._discipline.enter(QueuedPacket(token, size_bytes + OVERHEAD_BYTES, now_s), now_s=now_s)

    def serve(self, now_s: float) -> list[Departure[TokenT]]:
        """Use the opportunities up to `now_s`: what left or was dropped, in order."""
        out: list[Departure[TokenT]] = []
        while self.due_s <= now_s:
            self._use_opportunity(self._cursor.time_s, out)
            self._cursor.advance()
        return out

    def withdraw(self) -> list[TokenT]:
        """Take out all that waits, in order; the packet in transit is the first and begins anew. Call `serve` first."""
        in_transit, self._in_transit = self._in_transit, None
        self._missing_bytes = 0
        waiting = [packet.token for packet in self._discipline.withdraw()]
        return waiting if in_transit is None else [in_transit.token, *waiting]

    def _use_opportunity(self, time_s: float, out: list[Departure[TokenT]]) -> None:
        left_bytes = OPPORTUNITY_BYTES
        while left_bytes > 0:
            if self._in_transit is None:
                self._in_transit = self._discipline.leave(now_s=time_s)
                out.extend(
                    Departure(packet.token, packet.entered_s, time_s, is_dropped=True)
                    for packet in self._discipline.take_dropped()
                )
                if self._in_transit is None:
                    return
                self._missing_bytes = self._in_transit.wire_bytes
            used_bytes = min(left_bytes, self._missing_bytes)
            left_bytes -= used_bytes
            self._missing_bytes -= used_bytes
            if self._missing_bytes == 0:
                packet = self._in_transit
                self._in_transit = None
                out.append(Departure(packet.token, packet.entered_s, time_s, mark=packet.mark))
