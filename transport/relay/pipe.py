"""One way of the emulated link, in whatever time its caller keeps: a delay, a queue served by a trace, random loss.

Nothing here reads a clock or a socket. A packet's times are worked out from when it arrived, not from when it was read
or got its turn, so a late wake-up delays that packet alone and never the link.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from cc.core.random_source import RandomSource
from cc.links.link import MAX_PAYLOAD_BYTES, OVERHEAD_BYTES
from cc.links.queueing.discipline import Mark
from transport.relay.held import Held
from transport.relay.polling import PolledWay
from transport.relay.queues import Left, PipeQueue, QueueKind, make_queue
from transport.relay.room import Room, Share

PeerT = TypeVar("PeerT")


class PipeLog(Protocol):
    """Who is told what the queue does, in the relay's own seconds."""

    @property
    def handed_over_s(self) -> float:
        """Nothing may be told that happened before."""

    def arrived(self, wire_bytes: int, *, at_s: float) -> None:
        """A packet reached the queue."""

    def departed(self, wire_bytes: int, *, entered_s: float, at_s: float) -> None:
        """It left the queue."""

    def dropped(self, wire_bytes: int, *, at_s: float) -> None:
        """The queue refused it, or dropped it later."""


class Packet(NamedTuple, Generic[PeerT]):
    """A datagram and the client that it is of or for."""

    data: bytes
    peer: PeerT
    mark: Mark | None = None
    """The router's, on a packet that comes out."""


@dataclass(frozen=True)
class PipeLink:
    """What a pipe emulates."""

    opportunities_ms: Sequence[int] | None
    """None has no rate, and so no queue: it only delays and loses."""
    queue: QueueKind
    delay_ahead_s: float
    """Before the queue, as mm-delay has it on the way in."""
    delay_behind_s: float
    """After it, on the way out."""
    loss_ratio: float
    """Behind the queue."""
    started_s: float
    """When the trace's time 0 was."""
    polled: PolledWay | None = None
    """None is exact."""


class LinkPipe(Generic[PeerT]):
    """Packets go in, and come out when they are due, in order."""

    def __init__(
        self,
        *,
        loss_rng: RandomSource,
        queue_rng: RandomSource,
        log: PipeLog | None = None,
        share: Share | None = None,
    ) -> None:
        """`queue_rng` draws the discipline's random numbers; `share` is of the relay's room, None of one of its own."""
        self._loss_rng = loss_rng
        self._queue_rng = queue_rng
        self._log = log
        self.share = Share(Room()) if share is None else share
        self._link: PipeLink | None = None
        self._queue: PipeQueue[Packet[PeerT]] | None = None
        self._ahead: Held[Packet[PeerT]] = Held()
        self._leaving: Held[Left[Packet[PeerT]]] = Held()
        """Until the queue's process acts, where there is one."""
        self._behind: Held[Left[Packet[PeerT]]] = Held()
        """Until they are at the far end; without processes a queue that foresees has all of its packets here."""
        self._out: list[Packet[PeerT]] = []
        self._went_on_s = -math.inf
        self._not_before_s = -math.inf
        """What has happened up to then would be another thing, had a packet come in before."""
        self.packets_carried = 0
        self.packets_dropped = 0
        """By the queue, those among them for which the relay had no room."""
        self.packets_lost = 0
        """By chance."""
        self.packets_too_large = 0
        """For the link, which never got them."""
        self.packets_without_room = 0
        """In the relay: the queue, even one without a limit, dropped them."""

    @property
    def _delay_behind_s(self) -> float:
        return 0.0 if self._link is None else self._link.delay_behind_s

    @property
    def packets_left(self) -> int:
        """All that have left the queue towards the far end, some to be lost behind it."""
        return self.packets_carried + self.packets_lost

    @property
    def packets_entered(self) -> int:
        """All that have reached the queue, those that it dropped among them."""
        return self.share.packets - len(self._ahead) + self.packets_left + self.packets_dropped

    @property
    def due_s(self) -> float:
        """When `take_due` has something to do next; infinite if never."""
        return self._went_on_s if self._out else self._next_s

    @property
    def _next_s(self) -> float:
        queue_s = math.inf if self._queue is None else self._queue.due_s
        return min(queue_s, self._ahead.due_s, self._leaving.due_s, self._behind.due_s)

    def offer(self, packet: Packet[PeerT], *, at_s: float) -> None:
        """Put a packet in that arrived then, which may lie before what has come out. Times must not go back.

        One that arrived before what cannot be undone comes right after that.
        """
        now_s = max(at_s, self._not_before_s, -math.inf if self._log is None else self._log.handed_over_s)
        size_bytes = len(packet.data)
        if size_bytes > MAX_PAYLOAD_BYTES:
            self.packets_too_large += 1
            return
        if not self.share.take(size_bytes):
            self._turn_away(size_bytes, now_s)
            return
        counted_s, delay_s = now_s, 0.0
        if self._link is not None:
            counted_s, delay_s = self._counted_s(self._link, now_s), self._link.delay_ahead_s
        if delay_s == 0 and self._ahead.hop is None and not self._ahead:
            self._enter(packet, now_s)
        else:
            self._ahead.add(packet, due_s=counted_s + delay_s)

    def _turn_away(self, size_bytes: int, at_s: float) -> None:
        """There is no room: as far as anybody can tell, the queue was full."""
        self.packets_without_room += 1
        self.packets_dropped += 1
        if self._log is not None and self._queue is not None:
            self._log.arrived(size_bytes + OVERHEAD_BYTES, at_s=at_s)
            self._log.dropped(size_bytes + OVERHEAD_BYTES, at_s=at_s)

    def _counted_s(self, link: PipeLink, now_s: float) -> float:
        """When the link says that a packet has come that is read now."""
        if link.polled is None:
            return now_s
        self._go_step_by_step(now_s)
        link.polled.first.look(now_s)
        return link.polled.first.whole_ms_s(now_s)

    def take_due(self, *, now_s: float) -> list[Packet[PeerT]]:
        """The packets that have come out by now."""
        if self._link is not None and self._link.polled is not None:
            self._go_step_by_step(now_s)
        self._go_on(now_s)
        out, self._out = self._out, []
        return out

    def _go_step_by_step(self, until_s: float) -> None:
        """What one process does at its time the next one's times depend on."""
        while (next_s := self._next_s) <= until_s:
            self._go_on(next_s)

    def _go_on(self, now_s: float) -> None:
        self._went_on_s = now_s
        if self._queue is None or not self._queue.foresees or self._ahead.hop is not None:
            self._not_before_s = now_s
        for entry_s, packet in self._ahead.take(now_s=now_s):
            self._enter(packet, entry_s)
        if self._queue is not None and self._queue.due_s <= now_s:
            self._serve(self._queue, now_s)
        for at_s, left in self._leaving.take(now_s=now_s):
            self._delay(left, at_s)
        for _, left in self._behind.take(now_s=now_s):
            self._come_out(left)

    def change(self, link: PipeLink | None, *, now_s: float) -> None:
        """Go on over another link, or none. Call `take_due(now_s)` first.

        What waits in the queue goes through the new one, in order and with the time at which it entered; what is being
        sent starts again. What the old delay holds keeps it, unless there is no link any more.
        """
        has_to_leave = [held.withdraw(lambda left: left.at_s > now_s) for held in (self._behind, self._leaving)]
        waiting = [(left.entered_s, left.token) for part in has_to_leave for left in part]
        for left in self._leaving.withdraw():  # its process had not let it go yet
            self._behind.add(left, due_s=left.at_s + self._delay_behind_s)
        if self._queue is not None:
            waiting += self._queue.withdraw()
        self._link = link
        self._not_before_s = now_s
        self._queue = None if link is None else self._make_queue(link)
        way = None if link is None else link.polled
        self._ahead.hop = None if way is None else way.ahead
        self._leaving.hop = None if way is None else way.queue
        self._behind.hop = None if way is None else way.behind
        for entered_s, packet in waiting:
            self._queue_up(packet, entry_s=now_s, entered_s=entered_s)
        if link is None:
            self._forget_delays(now_s)

    def _make_queue(self, link: PipeLink) -> PipeQueue[Packet[PeerT]] | None:
        if link.opportunities_ms is None:
            return None
        return make_queue(link.queue, link.opportunities_ms, started_s=link.started_s, rng=self._queue_rng)

    def _forget_delays(self, now_s: float) -> None:
        for left in self._behind.withdraw():
            self._behind.add(left, due_s=now_s)
        for packet in self._ahead.withdraw():
            self._queue_up(packet, entry_s=now_s, entered_s=now_s)

    def _enter(self, packet: Packet[PeerT], entry_s: float) -> None:
        if self._log is not None and self._queue is not None:
            self._log.arrived(len(packet.data) + OVERHEAD_BYTES, at_s=entry_s)
        self._queue_up(packet, entry_s=entry_s, entered_s=entry_s)

    def _queue_up(self, packet: Packet[PeerT], *, entry_s: float, entered_s: float) -> None:
        queue = self._queue
        if queue is None:
            self._delay(Left(entry_s, entered_s, packet), entry_s)
            return
        if queue.due_s <= entry_s:
            self._serve(queue, entry_s)
        left = queue.enter(packet, len(packet.data), at_s=entry_s, entered_s=entered_s)
        if left is not None:
            self._let_go(left)

    def _serve(self, queue: PipeQueue[Packet[PeerT]], until_s: float) -> None:
        for left in queue.serve(until_s):
            self._let_go(left)

    def _let_go(self, left: Left[Packet[PeerT]]) -> None:
        if left.is_dropped:
            self._drop(left.token, left.at_s)
        elif self._leaving.hop is None:
            self._delay(left, left.at_s)
        else:
            self._leaving.add(left, due_s=left.at_s)

    def _delay(self, left: Left[Packet[PeerT]], at_s: float) -> None:
        """What has left the queue, or met none, still has the delay behind it."""
        hop = self._behind.hop
        counted_s = at_s if hop is None else hop.loop.whole_ms_s(at_s)
        self._behind.add(left, due_s=counted_s + self._delay_behind_s)

    def _drop(self, packet: Packet[PeerT], at_s: float) -> None:
        self.share.give_back(len(packet.data))
        self.packets_dropped += 1
        if self._log is not None:
            self._log.dropped(len(packet.data) + OVERHEAD_BYTES, at_s=at_s)

    def _come_out(self, left: Left[Packet[PeerT]]) -> None:
        packet = left.token
        size_bytes = len(packet.data)
        self.share.give_back(size_bytes)
        if self._log is not None and self._queue is not None:
            self._log.departed(size_bytes + OVERHEAD_BYTES, entered_s=left.entered_s, at_s=left.at_s)
        if self._link is not None and self._link.loss_ratio > 0 and self._loss_rng.random() < self._link.loss_ratio:
            self.packets_lost += 1
            return
        self.packets_carried += 1
        self._out.append(packet if left.mark is None else packet._replace(mark=left.mark))
