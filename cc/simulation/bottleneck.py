"""The link that all flows share, with one of the queue disciplines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from cc.link import ChanceLoss, Link
from cc.queueing.discipline import DropTail
from cc.queueing.served_queue import ServedQueue
from cc.simulation.flow import Flow
from cc.simulation.sender import Train

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

    def enter(self, flow: Flow, train: Train, *, now_s: float) -> None:
        """Packets reach the queue together."""

    def serve(self, now_s: float) -> None:
        """Let leave what leaves by `now_s`."""


class ForeseeingBottleneck:
    """Droptail: when a packet leaves is known, and told to its flow, as soon as it enters."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.delay_s = link.delay_s
        self.opportunities_ms = link.opportunities_ms
        self.due_s = math.inf

    @property
    def packets_dropped(self) -> int:
        return self._link.packets_dropped

    @property
    def packets_lost(self) -> int:
        return self._link.packets_lost

    def enter(self, flow: Flow, train: Train, *, now_s: float) -> None:
        """Packets reach the queue together."""
        sizes_bytes = train.sizes_bytes
        departures_s = self._link.send_train(sizes_bytes, now_s=now_s)
        flow.on_departures(train.first_number, sizes_bytes, departures_s, entered_s=now_s, loss=self._link.loss)

    def serve(self, now_s: float) -> None:
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

    def enter(self, flow: Flow, train: Train, *, now_s: float) -> None:
        """Packets reach the queue together."""
        for number, size_bytes in enumerate(train.sizes_bytes, start=train.first_number):
            if not self._queue.enter((flow, number, size_bytes), size_bytes, now_s=now_s):
                self.packets_dropped += 1
                flow.on_departures(number, (size_bytes,), (None,), entered_s=now_s, loss=self._loss)

    def serve(self, now_s: float) -> None:
        """Use the opportunities up to `now_s`."""
        for departure in self._queue.serve(now_s):
            flow, number, size_bytes = departure.token
            departed_s = None if departure.is_dropped else departure.departed_s
            self.packets_dropped += departure.is_dropped
            flow.on_departures(
                number,
                (size_bytes,),
                (departed_s,),
                entered_s=departure.entered_s,
                loss=self._loss,
                mark=departure.mark,
            )
