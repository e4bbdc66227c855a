"""What became of a flow's packets, kept in a few bytes for each, and what can be read off it afterwards."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from operator import sub
from typing import cast

from cc.core.quantile import quantile
from cc.links.link import OVERHEAD_BYTES


@dataclass(frozen=True, slots=True)
class DelaySummary:
    """Queueing delays of the packets that a link carried."""

    mean_s: float
    p50_s: float
    p95_s: float
    max_s: float


class FlowRecord:
    """Departures from the bottleneck's queue, in order of time; some lie ahead of the clock."""

    __slots__ = ("_chance_lost", "_departures_s", "_entered_s", "_sizes_bytes", "packets_lost")

    def __init__(self) -> None:
        self._departures_s = array("d")
        self._entered_s = array("d")
        self._sizes_bytes = array("H")
        self._chance_lost: list[tuple[float, int]] = []
        self.packets_lost = 0
        """Packets lost by the queue or behind it, as soon as that is certain: long before a sender can know."""

    def add(self, departures_s: list[float | None], sizes_bytes: list[int], entered_s: list[float]) -> None:
        """Packets have left, or will; None for those that were dropped."""
        if None in departures_s:
            left = [departure_s is not None for departure_s in departures_s]
            self.packets_lost += left.count(False)
            sizes_bytes = list(compress(sizes_bytes, left))
            entered_s = list(compress(entered_s, left))
            departures_s = list(compress(departures_s, left))
        self._departures_s.fromlist(cast("list[float]", departures_s))
        self._sizes_bytes.fromlist(sizes_bytes)
        self._entered_s.fromlist(entered_s)

    def add_chance_loss(self, departure_s: float, size_bytes: int) -> None:
        """One of the packets was lost behind the queue; to be told in the order of departures."""
        self._chance_lost.append((departure_s, size_bytes))
        self.packets_lost += 1

    @property
    def packets(self) -> int:
        """All that left or will leave."""
        return len(self._departures_s)

    @property
    def packets_sent(self) -> int:
        """All that came to the queue: some of those that left it were lost behind it."""
        return self.packets + self.packets_lost - len(self._chance_lost)

    def packets_left(self, until_s: float) -> int:
        """Those that had left the queue by then."""
        return bisect_right(self._departures_s, until_s)

    def departed(self, first: int, until_s: float) -> tuple[Sequence[float], Sequence[int]]:
        """When packets left by then and their payload in bytes, from the packet `first` on, counted from 0."""
        last = bisect_right(self._departures_s, until_s, lo=first)
        return self._departures_s[first:last], self._sizes_bytes[first:last]

    def wire_bytes(self, since_s: float, until_s: float) -> int:
        """Bytes on the wire that left the queue after `since_s`, until `until_s`."""
        first, last = self._span(since_s, until_s)
        return sum(self._sizes_bytes[first:last]) + OVERHEAD_BYTES * (last - first)

    def arrived_wire_bytes(self, since_s: float, until_s: float) -> int:
        """The same without those that were lost behind the queue."""
        first, last = (bisect_right(self._chance_lost, time_s, key=_departure_s) for time_s in (since_s, until_s))
        lost = sum(size_bytes + OVERHEAD_BYTES for _, size_bytes in self._chance_lost[first:last])
        return self.wire_bytes(since_s, until_s) - lost

    def arrived_bytes(self, until_s: float, *, delay_s: float) -> int:
        """UDP payload that had reached the far end by `until_s`, at `delay_s` behind the queue."""
        last = bisect_right(self._departures_s, until_s - delay_s)
        lost = sum(size for departure_s, size in self._chance_lost if departure_s + delay_s <= until_s)
        return sum(self._sizes_bytes[:last]) - lost

    def delays(self, since_s: float, until_s: float) -> DelaySummary | None:
        """Delays of the packets that left the queue after `since_s`, until `until_s`; None if there were none."""
        return summarise(self.delays_s(since_s, until_s))

    def delays_s(self, since_s: float, until_s: float) -> Sequence[float]:
        """Those packets' queueing delays themselves."""
        first, last = self._span(since_s, until_s)
        return array("d", map(sub, self._departures_s[first:last], self._entered_s[first:last]))

    def _span(self, since_s: float, until_s: float) -> tuple[int, int]:
        first = bisect_right(self._departures_s, since_s)
        return first, bisect_right(self._departures_s, until_s, lo=first)


def _departure_s(lost: tuple[float, int]) -> float:
    return lost[0]


def summarise(delays_s: Sequence[float]) -> DelaySummary | None:
    """Mean, quantiles and largest; None of nothing."""
    if not delays_s:
        return None
    ordered = sorted(delays_s)
    return DelaySummary(
        mean_s=sum(ordered) / len(ordered),
        p50_s=quantile(ordered, 0.50),
        p95_s=quantile(ordered, 0.95),
        max_s=ordered[-1],
    )
