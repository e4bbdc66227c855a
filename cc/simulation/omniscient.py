"""The limit: a sender that knows the trace, and has each packet wait when its opportunity comes, but no earlier.

Alone on the link it uses every opportunity, and its packets wait for no other. Nobody can deliver more by any time.
"""

from __future__ import annotations

from collections.abc import Sequence

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme, SentPacket
from cc.core.random_source import RandomSource
from cc.links.link import OPPORTUNITY_BYTES, OVERHEAD_BYTES, OpportunityCursor
from cc.simulation.flight import Flight
from cc.simulation.sender import NEVER_S, SimulatedSender
from cc.simulation.sources import Source

OMNISCIENT = "omniscient"
LEAD_S = 0.0005  # half of a trace's resolution: after the opportunity before, ahead of its own


class Omniscient(SenderScheme):
    """What is told of such a sender: its window is what it has in flight."""

    may_change_on_send = False

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._window_bytes = self._minimum_bytes = MINIMUM_WINDOW_PACKETS * max_datagram_bytes

    @property
    def cwnd_bytes(self) -> int:
        return self._window_bytes

    @property
    def phase(self) -> Phase:
        return Phase.AVOIDANCE

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        self._window_bytes = max(bytes_in_flight, self._minimum_bytes)

    def on_ack(self, event: AckEvent) -> None:
        self._window_bytes = max(event.bytes_in_flight, self._minimum_bytes)

    def on_loss(self, event: LossEvent) -> None:
        self._window_bytes = max(event.bytes_in_flight, self._minimum_bytes)


class OmniscientSender(SimulatedSender):
    """Sends by the trace of an otherwise empty link, not by window and pacer."""

    def __init__(self, scheme: SenderScheme, *, name: str, source: Source, opportunities_ms: Sequence[int]) -> None:
        super().__init__(scheme, name=name, source=source, timer_quantum_s=0.0, has_stamps=False)
        self._cursor = OpportunityCursor(opportunities_ms)
        self._left_bytes = OPPORTUNITY_BYTES
        """What is left of the opportunity that the next packet begins with."""

    def _send_permitted(self, flight: Flight, now_s: float, until_s: float) -> None:
        self._pacer_wake_s = NEVER_S
        sizes_bytes: list[int] = []
        backlog_bytes = self._backlog_bytes
        while backlog_bytes is None or backlog_bytes > 0:
            send_s = self._begin_s(now_s) - LEAD_S
            if send_s > now_s:
                self._pacer_wake_s = send_s
                break
            size_bytes = self._packet_bytes if backlog_bytes is None else min(self._packet_bytes, backlog_bytes)
            sizes_bytes.append(size_bytes)
            self._use_link(size_bytes)
            if backlog_bytes is not None:
                backlog_bytes -= size_bytes
        self._runs_dry = backlog_bytes == 0
        if sizes_bytes:
            self._send(sizes_bytes, [now_s] * len(sizes_bytes), flight)

    def _probe(self, flight: Flight, now_s: float) -> None:
        before = len(flight.sizes_bytes)
        super()._probe(flight, now_s)
        self._begin_s(now_s)
        self._use_link(flight.sizes_bytes[before])

    def _begin_s(self, now_s: float) -> float:
        """When the link can begin to carry the next packet."""
        if self._cursor.time_s <= now_s:
            self._cursor.seek_after(now_s)
            self._left_bytes = OPPORTUNITY_BYTES
        elif self._left_bytes == 0:
            self._cursor.advance()
            self._left_bytes = OPPORTUNITY_BYTES
        return self._cursor.time_s

    def _use_link(self, size_bytes: int) -> None:
        missing_bytes = size_bytes + OVERHEAD_BYTES
        while missing_bytes > self._left_bytes:
            missing_bytes -= self._left_bytes
            self._cursor.advance()
            self._left_bytes = OPPORTUNITY_BYTES
        self._left_bytes -= missing_bytes
