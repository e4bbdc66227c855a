"""aioquic's asyncio protocol, driven once per batch of datagrams.

aioquic sends after every datagram received, one ACK at a time. Here a socket is drained first, then each connection
that received something handles its events and sends one flight: fewer, fuller flights cost less per packet.
"""

from __future__ import annotations

import asyncio
import logging
import random
from abc import abstractmethod
from collections.abc import Callable, Sequence

from aioquic.asyncio.protocol import QuicStreamHandler
from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.quic.events import DatagramFrameReceived, QuicEvent
from aioquic.quic.packet import QuicErrorCode

from cc.core.network_report import NetworkReport
from transport.aioquic_adapter.connection import ControlledConnection, MakeScheme
from transport.aioquic_adapter.peer_limits import MAX_PENDING_EVENTS
from transport.aioquic_adapter.size_search import BASE_BYTES
from transport.aioquic_adapter.timed import TimedProtocol

logger = logging.getLogger(__name__)


class BatchedProtocol(TimedProtocol):
    """A connection whose flights a subclass fills."""

    def __init__(
        self,
        quic: QuicConnection,
        stream_handler: QuicStreamHandler | None = None,
        *,
        make_scheme: MakeScheme,
        rng: random.Random,
        most_datagram_bytes: int = BASE_BYTES,
    ) -> None:
        super().__init__(quic, stream_handler)
        self.connection = ControlledConnection(quic, make_scheme, rng, most_datagram_bytes=most_datagram_bytes)
        self.on_received: Callable[[BatchedProtocol], None] = BatchedProtocol.finish_batch
        """Called after each datagram; a batching endpoint calls `finish_batch` later instead."""
        self.arrival_s: Callable[[], float] = self._loop.time
        """When the datagram that is being read arrived; a batching endpoint knows it however late it reads."""
        self.send_flight: Callable[[Sequence[tuple[bytes, NetworkAddress]]], None] = self._send_one_by_one
        """Sends datagrams; a batching endpoint sends them at once."""
        self.most_packets: Callable[[], int | None] = _no_limit
        """How many packets leave at a time; None for as many as window and pacer allow."""
        self.is_dismissed = False
        """Whether the connection was ended from outside its session."""
        self._ending: asyncio.TimerHandle | None = None

    @property
    @abstractmethod
    def is_asked(self) -> bool:
        """Whether the peer waits for a sign of life, for which a packet may leave beyond the window."""

    @property
    def idle_since_s(self) -> float | None:
        """When what the peer asked for last got on; None where it asks for nothing that counts."""
        return None

    def end_idle_session(self) -> None:
        """Give up its place for a newcomer."""
        self.dismiss("a newcomer needed the place")

    @abstractmethod
    def on_event(self, event: QuicEvent, *, now_s: float) -> None:
        """Something happened on the connection."""

    @abstractmethod
    def write_ahead(self, *, now_s: float) -> None:
        """Queue what may leave soon; it may have to be read from a disk."""

    @abstractmethod
    def lead_flight(self, *, now_s: float) -> None:
        """Queue what goes at the head of the flight that leaves now."""

    @abstractmethod
    def on_flight_sent(self, *, now_s: float) -> None:
        """A flight left, or nothing could leave."""

    def run_guarded(self, action: Callable[..., None], *args: object) -> None:
        """Do it; a fault of ours ends this connection, not the server, and costs nobody else a turn."""
        try:
            action(*args)
        except Exception:
            logger.exception("a connection is ended after an unexpected error")
            self.dismiss("internal error", error_code=QuicErrorCode.INTERNAL_ERROR)

    @property
    def bytes_in_flight(self) -> int:
        """What is sent and not acknowledged."""
        return self.connection.bytes_in_flight

    def bound_flight(self, most_bytes: int) -> None:
        """Let no more be in flight from now on."""
        self.run_guarded(self.connection.bound_flight, most_bytes)

    def bound_work(self, per_s: float) -> None:
        """Let the peer ask for no more in the long run, beside what it earns."""
        self.connection.bound_work(per_s)

    def on_network_report(self, report: NetworkReport) -> None:
        """What the network tells, for a scheme that listens."""
        self.run_guarded(self._hear, report)

    def finish_batch(self) -> None:
        """Handle what the batch of datagrams brought, and send."""
        self.run_guarded(self._finish_batch)

    def datagram_received(self, data: bytes | str, addr: NetworkAddress) -> None:
        self.run_guarded(self._receive, data, addr)

    def quic_event_received(self, event: QuicEvent) -> None:
        self.run_guarded(self._tell, event)

    def transmit(self) -> None:
        self.run_guarded(self._transmit)

    def _handle_timer(self) -> None:
        self.run_guarded(super()._handle_timer)

    def _finish_batch(self) -> None:
        self._process_events()
        self.connection.notice_path(now_s=self._loop.time())
        self.transmit()

    def _receive(self, data: bytes, addr: NetworkAddress) -> None:
        if not self.connection.receive_datagram(data, addr, now_s=self.arrival_s()):
            return  # a flight is most of what a datagram costs
        if len(self._quic._events) > MAX_PENDING_EVENTS:
            self._process_events()
        self.on_received(self)

    def _process_events(self) -> None:
        events = self._quic._events
        while events and isinstance(events[0], DatagramFrameReceived):  # most are, and mean nothing to aioquic
            self.quic_event_received(events.popleft())
        if events:
            super()._process_events()

    def _tell(self, event: QuicEvent) -> None:
        self.on_event(event, now_s=self._loop.time())

    def _transmit(self) -> None:
        now_s = self._loop.time()
        if self.is_asked or not self.connection.is_held_back(now_s=now_s):
            probe = self.connection.take_probe(now_s=now_s)
            if probe:
                self.send_flight(probe)  # alone: the system refuses a whole flight for one that is too large
            self.write_ahead(now_s=now_s)
            now_s = self._loop.time()  # the time that reading took is not the path's: stamps and RTTs begin here
            self.lead_flight(now_s=now_s)
            self.send_flight(self.connection.take_flight(now_s=now_s, most_packets=self.most_packets()))
            self.connection.after_flight(now_s=now_s)
        self.on_flight_sent(now_s=now_s)
        self._transmit_task = None
        if self.connection.skip_closing_period():  # its place is free at once
            self._process_events()
        self.arm_timer()

    def _hear(self, report: NetworkReport) -> None:
        self.connection.on_network_report(report, now_s=self._loop.time())

    def close_after(self, delay_s: float) -> None:
        """End the connection a little later, unless it has ended by then."""
        if self._ending is None and not self._closed.is_set():
            self._ending = self._loop.call_later(delay_s, self.close)

    def dismiss(self, reason: str, *, error_code: int = QuicErrorCode.CONNECTION_REFUSED) -> None:
        """End the connection at once: a last word where the peer may get one, and no closing period.

        Stray packets of the peer meet a stateless reset instead (RFC 9000 section 10.2).
        """
        if self._closed.is_set():
            return
        self.is_dismissed = True
        last_words = self.connection.end(error_code=error_code, reason=reason, now_s=self._loop.time())
        if last_words:
            self.send_flight(last_words)
        self._process_events()

    @property
    def peer_host(self) -> str | None:
        """Where datagrams are sent to, without the port; None before the first has come."""
        return self.connection.path.peer_host

    def held_bytes(self) -> int:
        """What is kept for the peer, by weight; what need not be kept is forgotten first."""
        self.connection.limits.forget_old_acks()
        return self.connection.limits.held_bytes()

    def taken_bytes(self) -> int:
        """What the peer has acknowledged on its path so far."""
        return self.connection.ledger.delivered_bytes

    def release(self) -> None:
        """Undo what ties an ended connection's objects into cycles, so that they are freed at once."""
        for timer in (self._timer, self._ending, self._transmit_task):
            if timer is not None:
                timer.cancel()
        self._timer = self._ending = self._transmit_task = None
        self._connection_id_issued_handler = _ignore_id
        self._connection_id_retired_handler = _ignore_id
        self._connection_terminated_handler = _ignore_end
        self.on_received = _ignore_protocol
        self.send_flight = _ignore_flight
        self.connection.release()

    def _send_one_by_one(self, datagrams: Sequence[tuple[bytes, NetworkAddress]]) -> None:
        transport = self._transport
        assert transport is not None
        for data, addr in datagrams:
            transport.sendto(data, addr)


def _ignore_id(connection_id: bytes) -> None:
    """Of a connection that has ended."""


def _ignore_end() -> None:
    """It has been told of."""


def _ignore_protocol(protocol: BatchedProtocol) -> None:
    """There is nothing to answer."""


def _ignore_flight(datagrams: Sequence[tuple[bytes, NetworkAddress]]) -> None:
    """Nobody is there to get it."""


def _no_limit() -> None:
    """Nobody else waits."""
