"""cc's pacer, in turns that suit the path, in the place of aioquic's."""

from __future__ import annotations

import math

from cc.core.base import RttState
from cc.core.pacer import Pacer
from transport.aioquic_adapter.turns import turn_bytes


class SchemePacer:
    """aioquic's pacer interface in front of `cc.core.pacer.Pacer`."""

    def __init__(self, *, max_datagram_bytes: int) -> None:
        self.pacer = Pacer(max_datagram_bytes)
        self._max_datagram_bytes = max_datagram_bytes
        self._turn_bytes = 0.0
        self._turn_due_s = -math.inf
        """Of a sender that waits for its window: when the pacer would have let it go on."""

    def set_rate(self, bytes_per_s: float, now_s: float, *, rtt: RttState | None) -> None:
        """Pace at this rate, in turns that suit the path."""
        if rtt is not None:
            size_bytes = self._max_datagram_bytes
            self._turn_bytes = turn_bytes(rate_bytes_per_s=bytes_per_s, packet_bytes=size_bytes, rtt=rtt)
        self.pacer.set_rate(bytes_per_s, now_s, turn_bytes=self._turn_bytes)

    def next_send_time(self, now: float) -> float | None:
        """When the next turn begins; None as long as a packet may leave: a turn that has begun goes on."""
        if self.pacer.next_send_time_s(now) is None:
            self.pacer.expect_sender(None)
            return None
        return self.next_turn_s(now)

    def next_turn_s(self, now_s: float) -> float | None:
        """When as much may leave as is worth a waking; None if it may now. A timer has to be set for then."""
        due_s = self.pacer.next_send_time_s(now_s, size_bytes=self._turn_bytes)
        self.pacer.expect_sender(due_s)
        return due_s

    @property
    def turn_bytes(self) -> float:
        """What is worth a waking; 0 before it is known."""
        return self._turn_bytes

    def wait_for_window(self, now_s: float) -> None:
        """The sender sets no timer for its next turn, since it needs an ACK first."""
        due_s = self.pacer.next_send_time_s(now_s, size_bytes=self._turn_bytes)
        self._turn_due_s = now_s if due_s is None else due_s
        self.pacer.expect_sender(None)

    def on_ack(self, arrived_s: float) -> None:
        """A sender that waited for its window could have gone on when this ACK arrived, however late it is read."""
        self.pacer.expect_sender_since(max(arrived_s, self._turn_due_s))

    def update_after_send(self, now: float) -> None:
        self.pacer.on_sent(self._max_datagram_bytes, now)

    def packets_now(self, now_s: float, *, most: int) -> int:
        """How many full packets may leave now, of so many."""
        return self.pacer.packets_now(now_s, most=most)

    def update_after_sending(self, packets: int, now_s: float) -> None:
        """So many full packets have left."""
        self.pacer.on_packets_sent(packets, now_s)

    def update_rate(self, congestion_window: int, smoothed_rtt: float) -> None:
        """`SchemeRecovery` sets the rate, once per ACK."""
