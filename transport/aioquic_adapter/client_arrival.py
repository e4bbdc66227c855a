"""A client's connection that takes each datagram for the time at which it arrived, not at which it is read."""

from __future__ import annotations

from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.quic.connection import NetworkAddress


class ArrivalProtocol(QuicConnectionProtocol):
    """aioquic's protocol, whose RTT samples and ACK delays do not suffer from a loop that is late."""

    arrived_s: float | None = None
    """When the datagram that comes next arrived, on the loop's clock; None where nobody tells."""

    def arrival_s(self) -> float:
        """When the datagram that is being read arrived, as far as is known."""
        return self._loop.time() if self.arrived_s is None else self.arrived_s

    def datagram_received(self, data: bytes | str, addr: NetworkAddress) -> None:
        assert isinstance(data, bytes)
        self._quic.receive_datagram(data, addr, now=self.arrival_s())
        self._process_events()
        self.transmit()
