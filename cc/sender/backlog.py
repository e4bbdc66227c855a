"""Packets of a sender that are in the queue, by the smallest RTT of a round trip: Vegas', Veno's and YeAH's measure."""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import AckEvent, SentPacket
from cc.core.random_source import RandomSource
from cc.core.rounds import RoundCounter
from cc.sender.additive_increase import AdditiveIncrease


class Backlog:
    """w (1 - baseRTT/RTT), where w was in flight when the packet with the round trip's smallest RTT left."""

    __slots__ = (
        "_is_round",
        "_max_datagram_bytes",
        "_round_rtt_s",
        "_rounds",
        "base_rtt_s",
        "delay_share",
        "flight_bytes",
        "packets",
    )

    def __init__(self, max_datagram_bytes: int) -> None:
        self._max_datagram_bytes = max_datagram_bytes
        self._rounds = RoundCounter()
        self._is_round = False
        self._round_rtt_s: float | None = None
        self.flight_bytes = 0
        """What was in flight when the packet left that had the smallest RTT."""
        self.base_rtt_s: float | None = None
        """The smallest RTT; None before the first sample."""
        self.delay_share = 0.0
        """The queueing delay of the last round trip, in base RTTs."""
        self.packets: float | None = None
        """The backlog as last measured; None before the first round trip's end."""

    @property
    def rounds(self) -> int:
        """Round trips begun."""
        return self._rounds.count

    def count_rounds(self, event: AckEvent) -> None:
        """Count round trips; to be told of each ACK, before it is measured."""
        self._is_round = self._rounds.on_ack(event)

    def measure(self, event: AckEvent) -> float | None:
        """Packets in the queue, where this ACK ends a round trip with a sample; None elsewhere."""
        if event.rtt is not None and event.has_rtt_sample:
            rtt_s = event.rtt.latest_s
            self.base_rtt_s = rtt_s if self.base_rtt_s is None else min(self.base_rtt_s, rtt_s)
            if self._round_rtt_s is None or rtt_s <= self._round_rtt_s:
                self._round_rtt_s = rtt_s
                self.flight_bytes = event.acked[-1].bytes_in_flight
        if not self._is_round or self._round_rtt_s is None or self.base_rtt_s is None:
            return None
        flight_packets = self.flight_bytes / self._max_datagram_bytes
        self.packets = flight_packets * (1 - self.base_rtt_s / self._round_rtt_s)
        self.delay_share = self._round_rtt_s / self.base_rtt_s - 1
        self._round_rtt_s = None
        return self.packets

    def forget_round(self) -> None:
        """A loss: this round trip's RTTs tell nothing of the window that there is now."""
        self._round_rtt_s = None

    def forget_rtts(self) -> None:
        """The path may have changed."""
        self.base_rtt_s = self._round_rtt_s = None


class BacklogWindow(AdditiveIncrease):
    """A loss-based window that knows its backlog."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._backlog = Backlog(max_datagram_bytes)

    def on_round(self, queued_packets: float) -> None:
        """A round trip is over, and had so many packets in the queue."""

    def on_ack(self, event: AckEvent) -> None:
        self._backlog.count_rounds(event)
        queued = self._backlog.measure(event)
        super().on_ack(event)
        if queued is not None:
            self.on_round(queued)

    def on_window_collapse(self) -> None:
        self._backlog.forget_rtts()

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if packet.is_app_limited and bytes_in_flight == packet.size_bytes:  # idle: the path may have changed meanwhile
            self._backlog.forget_rtts()

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            **super().log_fields(),
            "base_rtt_s": self._backlog.base_rtt_s,
            "queued_packets": self._backlog.packets,
        }
