"""The link that all flows share, with one of the queue disciplines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, TypeVar

from cc.links.link import ChanceLoss, Link
from cc.links.queueing.discipline import DropTail
from cc.links.queueing.served_queue import ServedQueue
from cc.simulation.flight import Entry, Flight
from cc.simulation.flow import Flow

TimeT = TypeVar("TimeT")

Carried = tuple[Flow, int, int]
"""How a packet is known: its flow, its number and its size in bytes of UDP payload."""


class Bottleneck(Protocol):
    """A queue served by a trace, then loss by chance, then a delay, which the flows keep."""

    @property
    def delay_s(self) -> float:
        """Delay behind the queue."""

    @property
    def opportunities_ms(self) -> Sequence[int]:
        """The trace."""

    @property
    def due_s(self) -> float:
        """When `serve` has something to do next; infinite if never."""

    @property
    def packets_dropped(self) -> int:
        """Packets dropped by the queue."""

    @property
    def packets_lost(self) -> int:
        """Packets lost by chance."""

    @property
    def packets_waiting(self) -> int:
        """Packets of which it is not known yet when they leave."""

    @property
    def busy_until_s(self) -> float:
        """What has yet to enter leaves no sooner."""

    def enter(self, flows: Sequence[Flow], flights: Sequence[Flight], entry: Entry) -> None:
        """These flights' packets reach the queue in the order of the entry."""

    def serve(self, until_s: float) -> None:
        """Let leave what leaves until then, that instant included."""


class ForeseeingBottleneck:
    """Droptail: when a packet leaves is known, and told to its flow, as soon as it enters."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.delay_s = link.delay_s
        self.opportunities_ms = link.opportunities_ms
        self.due_s = math.inf
        self.packets_waiting = 0

    @property
    def packets_dropped(self) -> int:
        return self._link.packets_dropped

    @property
    def packets_lost(self) -> int:
        return self._link.packets_lost

    @property
    def busy_until_s(self) -> float:
        return self._link.busy_until_s

    def enter(self, flows: Sequence[Flow], flights: Sequence[Flight], entry: Entry) -> None:
        """These flights' packets reach the queue in the order of the entry."""
        departures_s = self._link.send_all(entry.sizes_bytes, times_s=entry.entered_s)
        survivors_s = self._link.loss.survivors_s(departures_s)
        if len(flows) == 1:
            first_number = flights[0].first_number
            flows[0].on_departures(first_number, entry.sizes_bytes, entry.entered_s, departures_s, survivors_s)
            return
        entered = _dealt(entry.entered_s, entry.owners, len(flows))
        departed = _dealt(departures_s, entry.owners, len(flows))
        survived = departed if survivors_s is departures_s else _dealt(survivors_s, entry.owners, len(flows))
        for index, flow in enumerate(flows):
            flight = flights[index]
            if not flight.sizes_bytes:
                continue
            flow.on_departures(
                flight.first_number, flight.sizes_bytes, entered[index], departed[index], survived[index]
            )

    def serve(self, until_s: float) -> None:
        """Nothing: all is known already."""


class ServedBottleneck:
    """Any discipline: what leaves is decided when it leaves."""

    def __init__(
        self,
        opportunities_ms: Sequence[int],
        discipline: DropTail[Carried],
        *,
        delay_s: float,
        loss: ChanceLoss,
    ) -> None:
        """Raises ValueError for a trace that mahimahi would refuse."""
        self.opportunities_ms = opportunities_ms
        self.delay_s = delay_s
        self.packets_dropped = 0
        self._queue = ServedQueue(opportunities_ms, discipline)
        self._loss = loss

    @property
    def due_s(self) -> float:
        return self._queue.due_s

    @property
    def packets_lost(self) -> int:
        return self._loss.packets_lost

    @property
    def packets_waiting(self) -> int:
        return len(self._queue)

    @property
    def busy_until_s(self) -> float:
        return 0.0

    def enter(self, flows: Sequence[Flow], flights: Sequence[Flight], entry: Entry) -> None:
        """These flights' packets reach the queue in the order of the entry."""
        numbers = [flight.first_number for flight in flights]
        for owner, size_bytes, now_s in zip(entry.owners, entry.sizes_bytes, entry.entered_s, strict=True):
            self.serve(now_s)
            flow, number = flows[owner], numbers[owner]
            numbers[owner] += 1
            if not self._queue.enter((flow, number, size_bytes), size_bytes, now_s=now_s):
                self.packets_dropped += 1
                dropped: list[float | None] = [None]
                flow.on_departures(number, [size_bytes], [now_s], dropped, dropped)

    def serve(self, until_s: float) -> None:
        """Use the opportunities until then, that instant included."""
        for departure in self._queue.serve(until_s):
            flow, number, size_bytes = departure.token
            left_s: list[float | None] = [None if departure.is_dropped else departure.departed_s]
            self.packets_dropped += departure.is_dropped
            if departure.mark is not None:
                flow.on_mark(number, departure.mark)
            survivors_s = self._loss.survivors_s(left_s)
            flow.on_departures(number, [size_bytes], [departure.entered_s], left_s, survivors_s)


def _dealt(times_s: Sequence[TimeT], owners: Sequence[int], flows: int) -> list[list[TimeT]]:
    """Each flow's own, in order."""
    dealt: list[list[TimeT]] = [[] for _ in range(flows)]
    for owner, time_s in zip(owners, times_s, strict=True):
        dealt[owner].append(time_s)
    return dealt
