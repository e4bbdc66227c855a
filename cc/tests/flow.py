"""A scheme joined to a ledger and a clock that tests move by hand."""

from __future__ import annotations

import math
import random
from collections.abc import Collection
from typing import TypeVar

from cc.core.base import AckEvent, EcnCounts, LossEvent, RttState, SenderScheme
from cc.core.ledger import PacketLedger
from cc.core.window import WindowScheme

S = TypeVar("S", bound=WindowScheme)

MSS = 1000  # bytes of a full packet, so that windows read as packets
RTT_S = 0.1


def rtt_state(rtt_s: float = RTT_S, *, min_s: float | None = None) -> RttState:
    """An RTT that has been the same for long; `min_s`: the smallest one before, that one unless given."""
    return RttState(latest_s=rtt_s, smoothed_s=rtt_s, min_s=rtt_s if min_s is None else min_s, variance_s=0.0)


class Flow:
    """Sends, acknowledges and loses packets by number."""

    def __init__(self, scheme: SenderScheme) -> None:
        self.scheme = scheme
        self.ledger = PacketLedger(scheme.max_datagram_bytes)
        self.now_s = 1.0
        self.next_number = 0
        self.min_rtt_s = math.inf

    def send(self, packets: int, *, size_bytes: int | None = None) -> range:
        """Send packets now; their numbers."""
        first = self.next_number
        for number in range(first, first + packets):
            packet = self.ledger.on_packet_sent(
                packet_number=number, size_bytes=size_bytes or self.scheme.max_datagram_bytes, now_s=self.now_s
            )
            self.scheme.on_packet_sent(now_s=self.now_s, packet=packet, bytes_in_flight=self.ledger.bytes_in_flight)
        self.next_number += packets
        return range(first, first + packets)

    def fill_window(self, *, most_packets: int | None = None) -> range:
        """Send until the window is full; not more than so many packets."""
        room_bytes = self.scheme.cwnd_bytes - self.ledger.bytes_in_flight
        packets = max(0, room_bytes // self.scheme.max_datagram_bytes)
        return self.send(packets if most_packets is None else min(packets, most_packets))

    def ack(
        self,
        numbers: Collection[int],
        *,
        rtt_s: float = RTT_S,
        has_rtt_sample: bool = True,
        ecn: EcnCounts | None = None,
    ) -> AckEvent | None:
        """One ACK frame for these packets, with their marks. Its smallest RTT is that of all ACKs of the path."""
        self.min_rtt_s = min(self.min_rtt_s, rtt_s)
        event = self.ledger.on_packets_acked(
            numbers,
            now_s=self.now_s,
            rtt=rtt_state(rtt_s, min_s=self.min_rtt_s),
            has_rtt_sample=has_rtt_sample,
            cwnd_bytes=self.scheme.cwnd_bytes,
            ecn=ecn,
        )
        if event is not None:
            self.scheme.on_ack(event)
        return event

    def lose(self, numbers: Collection[int], *, is_persistent_congestion: bool = False) -> LossEvent | None:
        """These packets are declared lost together."""
        event = self.ledger.on_packets_lost(
            numbers, now_s=self.now_s, is_persistent_congestion=is_persistent_congestion
        )
        if event is not None:
            self.scheme.on_loss(event)
        return event

    def wait(self, seconds: float = RTT_S) -> None:
        """Let time pass."""
        self.now_s += seconds

    def whole_window(self, *, rtt_s: float = RTT_S) -> None:
        """Fill the window, and acknowledge all of it at once."""
        numbers = self.fill_window()
        self.wait(rtt_s)
        self.ack(numbers, rtt_s=rtt_s)

    def change_path(self, scheme: SenderScheme) -> None:
        """The peer's address changes, and its host makes this scheme for the new path."""
        self.ledger.begin_path()
        self.min_rtt_s = math.inf
        self.scheme = scheme

    def lose_one_window(self) -> None:
        """One loss in a full window; the window is cut once, and the recovery period is over when this returns."""
        numbers = self.fill_window()
        self.wait()
        self.lose(numbers[:1])
        self.ack(numbers[1:])
        self.wait(RTT_S / 10)
        after = self.fill_window()
        self.wait()
        self.ack(after)


def flow_at(make: type[S], packets: float) -> tuple[Flow, S]:
    """A flow in congestion avoidance with this window, and nothing in flight."""
    scheme = make(max_datagram_bytes=MSS, rng=random.Random(1))
    scheme._set_window(packets * MSS)
    scheme.end_slow_start()
    return Flow(scheme), scheme
