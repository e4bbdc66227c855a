"""A server under a scheme and a client, in virtual time, over a network that may lose, delay, reorder and duplicate."""

from __future__ import annotations

import datetime
import heapq
import itertools
import random
from collections.abc import Callable, Sequence

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.quic.events import ConnectionTerminated, StreamDataReceived
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.tls import Epoch

from cc.core.base import SenderScheme
from cc.sender.newreno import NewReno
from transport.aioquic_adapter.connection import ControlledConnection
from transport.aioquic_adapter.size_search import BASE_BYTES
from transport.media_server.certificate import make_certificate

SERVER_ADDRESS, CLIENT_ADDRESS = ("192.0.2.1", 4433), ("192.0.2.2", 5555)
CERTIFICATE = make_certificate("192.0.2.1", now=datetime.datetime.now(datetime.UTC))
ONE_WAY_S = 0.010
SHORTEST_WAIT_S = 1e-6

Fate = Callable[[bool], Sequence[float]]
"""When a datagram arrives, in seconds after it left; several times, or never. Told whether the server sent it."""


def new_reno() -> NewReno:
    """A path's scheme."""
    return NewReno(max_datagram_bytes=1200, rng=random.Random(1))


def arrives_in_order(is_from_server: bool) -> Sequence[float]:
    """A network without faults."""
    return (ONE_WAY_S,)


class Client(QuicConnection):
    """Acknowledges what has arrived, or all up to the largest."""

    hides_losses = False

    def _write_ack_frame(self, builder: QuicPacketBuilder, space: QuicPacketSpace, now: float) -> None:
        if self.hides_losses and space is self._spaces[Epoch.ONE_RTT]:
            space.ack_queue = RangeSet([range(space.ack_queue.bounds().stop)])
        super()._write_ack_frame(builder, space, now)


class Conversation:
    """A download of one stream. Time passes in `run`."""

    most_datagram_bytes = BASE_BYTES
    """Up to which size the server asks its path."""

    def __init__(
        self,
        make_scheme: Callable[[], SenderScheme],
        *,
        rng: random.Random,
        fate: Fate = arrives_in_order,
        on_flight: Callable[[ControlledConnection, range, int], None] = lambda server, numbers, left: None,
        is_fast: bool = True,
    ) -> None:
        """`on_flight` is told of each flight's packet numbers, and of how many datagrams left."""
        self.now_s = 0.0
        self.client_address = CLIENT_ADDRESS
        self.received = bytearray()
        self.end: ConnectionTerminated | None = None
        """Of the server's connection."""
        self.sent_bytes = 0
        """By the server."""
        self._make_scheme = make_scheme
        self._fate = fate
        self._on_flight = on_flight
        self._on_the_way: list[tuple[float, int, bool, bytes]] = []
        self._order = itertools.count()
        self.client = Client(
            configuration=QuicConfiguration(
                is_client=True,
                alpn_protocols=["h3"],
                verify_mode=0,
                max_data=2**30,
                max_stream_data=2**30,
                max_datagram_frame_size=65_536,
            )
        )
        self.client.connect(SERVER_ADDRESS, now=0.0)
        self.quic = QuicConnection(
            configuration=self._configuration(),
            original_destination_connection_id=self.client.original_destination_connection_id,
        )
        self.server = ControlledConnection(
            self.quic,
            self._scheme_for,
            rng,
            most_datagram_bytes=self.most_datagram_bytes,
            is_fast=is_fast,
        )
        self.server.guard.on_forged = self._note_forgery
        self.has_forged = False
        """Whether the server says so of the client."""
        self._asked = False
        self.patience_s: float | None = None
        """How long a step waits for something to happen."""

    def run(self, length_bytes: int, *, limit_s: float = 600.0) -> None:
        """Until the client has so many bytes more, or the server's connection has ended."""
        target_bytes = len(self.received) + length_bytes
        self._send(self.client, first=True)
        while len(self.received) < target_bytes and self.end is None:
            assert self.now_s < limit_s, f"{len(self.received)} of {target_bytes} bytes after {limit_s:g} s"
            self._step()
            if self.quic._handshake_confirmed and not self._asked:
                self._asked = True
                stream_id = self.quic.get_next_available_stream_id(is_unidirectional=True)
                self.quic.send_stream_data(stream_id, bytes(length_bytes), end_stream=True)
                self._send(self.quic)

    def _configuration(self) -> QuicConfiguration:
        """The server's."""
        configuration = QuicConfiguration(is_client=False, alpn_protocols=["h3"], max_datagram_size=1200)
        configuration.certificate, configuration.private_key = CERTIFICATE.certificate, CERTIFICATE.private_key
        return configuration

    def _scheme_for(self, max_datagram_bytes: int) -> SenderScheme:
        return self._make_scheme()

    def _note_forgery(self) -> None:
        self.has_forged = True

    def _step(self) -> None:
        """What happens next happens."""
        timers = self._timers()
        arrival_s = self._on_the_way[0][0] if self._on_the_way else None
        wake_s = None if self.patience_s is None else self.now_s + self.patience_s
        times = [time_s for time_s in (arrival_s, wake_s, *(time_s for time_s, _ in timers)) if time_s is not None]
        assert times, "nothing will ever happen"
        self.now_s = max(self.now_s + SHORTEST_WAIT_S, min(times))
        while self._on_the_way and self._on_the_way[0][0] <= self.now_s:
            _, _, is_from_server, data = heapq.heappop(self._on_the_way)
            self._receive(data, is_from_server=is_from_server)
        for time_s, each in timers:
            if time_s is not None and time_s <= self.now_s:
                each.handle_timer(self.now_s)
                self._send(each)

    def _timers(self) -> Sequence[tuple[float | None, QuicConnection]]:
        """Of both sides."""
        return [(each.get_timer(), each) for each in (self.client, self.quic)]

    def _receive(self, data: bytes, *, is_from_server: bool) -> None:
        """It arrives, and is answered."""
        if is_from_server:
            self.client.receive_datagram(data, SERVER_ADDRESS, self.now_s)
            self._send(self.client)
        else:
            self.server.receive_datagram(data, self.client_address, now_s=self.now_s)
            self._send(self.quic)

    def _send(self, quic: QuicConnection, *, first: bool = False) -> None:
        while (event := quic.next_event()) is not None:
            if isinstance(event, StreamDataReceived) and quic is self.client:
                self._take(event)
            elif isinstance(event, ConnectionTerminated) and quic is self.quic:
                self.end = event
        for data, _ in self._flight(quic):
            for delay_s in self._fate(quic is self.quic):
                heapq.heappush(self._on_the_way, (self.now_s + delay_s, next(self._order), quic is self.quic, data))

    def _take(self, event: StreamDataReceived) -> None:
        """The client has got this."""
        self.received += event.data

    def _flight(self, quic: QuicConnection) -> list[tuple[bytes, NetworkAddress]]:
        if quic is self.client:
            return quic.datagrams_to_send(self.now_s)
        first_number = quic._packet_number
        flight = self.server.take_flight(now_s=self.now_s)
        self.sent_bytes += sum(len(data) for data, _ in flight)
        if quic._packet_number > first_number:
            self._on_flight(self.server, range(first_number, quic._packet_number), len(flight))
        return flight
