"""A client that acknowledges as Chromium does: a sender meets without a browser what it meets with one.

aioquic acknowledges within a millisecond, a packet or two at a time; Chromium ten packets, or a quarter of the RTT, at
a time. When is decided by `cc.core.ack_policy`; this sets the timer with which aioquic writes the ACK.
"""

from __future__ import annotations

import math

from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.tls import Epoch

from cc.core.ack_policy import AckPolicy


def acknowledge_as_chromium(quic: QuicConnection) -> None:
    """Take over the ACK timer of a client's connection that has not begun."""
    ClientAcks(quic)


class ClientAcks:
    """The ACK timer of one connection. The handshake is acknowledged as aioquic does."""

    def __init__(self, quic: QuicConnection) -> None:
        self._quic = quic
        self._policy: AckPolicy | None = None
        self._min_rtt_s = math.inf
        self._next_number = 0
        self._receive_datagram = quic.receive_datagram
        self._datagrams_to_send = quic.datagrams_to_send
        quic.receive_datagram = self._receive  # type: ignore[method-assign]
        quic.datagrams_to_send = self._send  # type: ignore[method-assign]

    def _receive(self, data: bytes, addr: NetworkAddress, now: float) -> None:
        space = self._quic._spaces.get(Epoch.ONE_RTT)
        due_s = None if space is None else space.ack_at
        if space is not None:
            space.ack_at = None
        self._receive_datagram(data, addr, now)
        space = self._quic._spaces.get(Epoch.ONE_RTT)
        if space is None:
            return
        if space.ack_at is None:  # nothing that asks for an ACK
            space.ack_at = due_s
        else:
            space.ack_at = self._due_s(space.largest_received_packet, now)

    def _due_s(self, number: int, now_s: float) -> float:
        """When the ACK of what has arrived, this packet included, is to leave."""
        min_rtt_s = self._quic._loss._rtt_min
        if self._policy is None:
            self._policy = AckPolicy(min_rtt_s=min_rtt_s)
        elif min_rtt_s != self._min_rtt_s:
            self._policy.on_min_rtt(min_rtt_s)
        self._min_rtt_s = min_rtt_s
        # A packet that was overtaken is not the largest, and is no gap
        self._next_number = max(number, self._next_number)
        acks = self._policy.on_arrivals(self._next_number, [now_s])
        self._next_number += 1
        return now_s if acks else self._policy.due_s

    def _send(self, now: float) -> list[tuple[bytes, NetworkAddress]]:
        space = self._quic._spaces.get(Epoch.ONE_RTT)
        if space is not None and space.ack_at is not None and self._quic._datagrams_pending:
            space.ack_at = min(space.ack_at, now)  # an ACK that waits goes with what leaves, as Chromium bundles it
        datagrams = self._datagrams_to_send(now)
        policy = self._policy
        if policy is not None and policy.due_s < math.inf and self._quic._spaces[Epoch.ONE_RTT].ack_at is None:
            policy.take_timed()  # it has left
        return datagrams
