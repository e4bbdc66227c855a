"""A conversation with a server whose host wakes late, over a link of 4 Mbit/s: all in virtual time."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from aioquic.quic.connection import NetworkAddress, QuicConnection

from cc.core.base import SenderScheme
from transport.tests.conversation import ONE_WAY_S, Conversation

PACKET_S = 0.0024
"""Of 1,200 bytes at the link."""
QUEUE_PACKETS = 60
STEP_S = 0.001


class LateConversation(Conversation):
    """The server reads what has arrived, and does what was due, once in a while; when it arrived is known."""

    def __init__(
        self, make_scheme: Callable[[], SenderScheme], *, late_s: float, most_packets: int | None = None
    ) -> None:
        """`most_packets`: of a flight; the next one leaves a step later."""
        self._late_s = late_s
        self._most_packets = most_packets
        self._link_free_s = 0.0
        self._wakes_s = 0.0
        self._unread: list[tuple[float, bytes]] = []
        super().__init__(make_scheme, rng=random.Random(1), fate=self._through_the_link)
        self.patience_s = STEP_S

    def _through_the_link(self, is_from_server: bool) -> Sequence[float]:
        if not is_from_server:
            return (ONE_WAY_S,)
        waits_s = max(0.0, self._link_free_s - self.now_s)
        if math.ceil(waits_s / PACKET_S) >= QUEUE_PACKETS:
            return ()
        self._link_free_s = self.now_s + waits_s + PACKET_S
        return (waits_s + PACKET_S + ONE_WAY_S,)

    def _receive(self, data: bytes, *, is_from_server: bool) -> None:
        if is_from_server:
            super()._receive(data, is_from_server=is_from_server)
        else:
            self._unread.append((self.now_s, data))

    def _step(self) -> None:
        super()._step()
        if self.now_s < self._wakes_s:
            return
        self._wakes_s = self.now_s + self._late_s
        unread, self._unread = self._unread, []
        for arrived_s, data in unread:
            self.quic.receive_datagram(data, self.client_address, arrived_s)
        timer_s = self.quic.get_timer()
        if timer_s is not None and timer_s <= self.now_s:
            self.quic.handle_timer(self.now_s)
        self._send(self.quic)

    def _timers(self) -> Sequence[tuple[float | None, QuicConnection]]:
        return [(self.client.get_timer(), self.client)]

    def _flight(self, quic: QuicConnection) -> list[tuple[bytes, NetworkAddress]]:
        if quic is self.client:
            return super()._flight(quic)
        if not quic._network_paths or self.server.is_held_back(now_s=self.now_s):
            return []
        flight = self.server.take_flight(now_s=self.now_s, most_packets=self._most_packets)
        if len(flight) == self._most_packets:
            self._wakes_s = self.now_s + STEP_S
        return flight
