"""A client's connection that takes each datagram for the time at which it arrived, not at which it is read."""

from __future__ import annotations

from aioquic.quic.connection import NetworkAddress, QuicConnectionState
from aioquic.tls import Epoch

from transport.aioquic_adapter.timed import TimedProtocol


class ArrivalProtocol(TimedProtocol):
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
        if self._waits_for_ack_alone():
            self.arm_timer()
        else:
            self.transmit()

    def _waits_for_ack_alone(self) -> bool:
        """Whether nothing is to be sent but an ACK, whose timer has not gone off when this datagram arrived.

        A late client has more datagrams to read: their ACK leaves once, as its timer's, and not with each of them.
        """
        quic = self._quic
        if (
            not quic._handshake_confirmed
            or quic._state is not QuicConnectionState.CONNECTED
            or quic._close_pending
            or quic._probe_pending
            or quic._datagrams_pending
            or quic._network_paths[0].remote_challenges
        ):
            return False
        ack_at = quic._spaces[Epoch.ONE_RTT].ack_at
        return (
            ack_at is not None
            and ack_at > self.arrival_s()
            and all(stream.sender.buffer_is_empty and not stream.sender.reset_pending for stream in quic._streams_queue)
        )
