"""The link that all flows share, with one of the queue disciplines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from cc.links.link import ChanceLoss, Link
from cc.links.queueing.discipline import DropTail
from cc.links.queueing.served_queue import ServedQueue
from cc.simulation.flow import Flow
from cc.simulation.sender import Flight

Carried = tuple[Flow, int, int]
"""How a packet is known: its flow, its number and its size in bytes of UDP payload."""


class Bottleneck(Protocol):
    """A queue served by a trace, then loss by chance, then a delay, which the flows keep."""

    @property
    def delay_s(self) -> float:
        """Behind the queue."""

    @property
    def opportunities_ms(self) -> Sequence[int]:
        """The trace."""

    @property
    def due_s(self) -> float:
        """When `serve` has something to do next; infinite if never."""

    @property
    def packets_dropped(self) -> int:
        """By the queue."""

    @property
    def packets_lost(self) -> int:
        """By chance."""

    @property
    def packets_waiting(self) -> int:
        """Of which it is not known yet when they leave."""

    def enter(self, flow: Flow, flight: Flight) -> None:
        """Packets reach the queue, one after the other."""

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

    def enter(self, flow: Flow, flight: Flight) -> None:
        """Packets reach the queue, one after the other."""
        sizes_bytes, sent_s = flight.sizes_bytes, flight.sent_s
        departures_s = self._link.send_all(sizes_bytes, times_s=sent_s)
        flow.on_departures(flight.first_number, sizes_bytes, sent_s, departures_s, loss=self._link.loss)

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

    def enter(self, flow: Flow, flight: Flight) -> None:
        """Packets reach the queue, one after the other."""
        number = flight.first_number
        for size_bytes, now_s in zip(flight.sizes_bytes, flight.sent_s, strict=True):
            self.serve(now_s)
            if not self._queue.enter((flow, number, size_bytes), size_bytes, now_s=now_s):
                self.packets_dropped += 1
                flow.on_departures(number, (size_bytes,), (now_s,), (None,), loss=self._loss)
            number += 1

    def serve(self, until_s: float) -> None:
        """Use the opportunities until then, that instant included."""
        for departure in self._queue.serve(until_s):
            flow, number, size_bytes = departure.token
            left_s = None if departure.is_dropped else departure.departed_s
            self.packets_dropped += departure.is_dropped
            if departure.mark is not None:
                flow.on_mark(number, departure.mark)
            flow.on_departures(number, (size_bytes,), (departure.entered_s,), (left_s,), loss=self._loss)
            flow.set_due()
