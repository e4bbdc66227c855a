"""TCP Vegas: keep between two and four packets in the queue, by comparing the rate that arrives with the one expected.

L. Brakmo, L. Peterson: TCP Vegas: End to End Congestion Avoidance on a Global Internet, IEEE JSAC 13(8), 1995, sections
3.2 and 3.3, with what Linux (net/ipv4/tcp_vegas.c, commit 09c434b8) made of it: the smallest RTT of a round trip, slow
start that doubles each round trip, the window set to the measured rate when slow start ends, and a base RTT that is
forgotten whenever the sender was idle.

Deviations:

- Packets in the queue are w (1 - baseRTT/RTT), the paper's Diff times baseRTT, and not rounded; Linux divides by
  baseRTT in place of RTT, and so counts a long queue for more than it is. And w is what was in flight when the packet
  with the smallest RTT left, as in the paper's Actual rate; Linux takes cwnd, which slow start has doubled since: it
  would end with twice the window that fills the path, and Vegas gives back one packet in a round trip.
- One RTT sample decides a round trip. Linux wants three, since TCP's samples may contain a delayed ACK; QUIC's do not.
- After slow start a window leaves in a round trip, not in 0.8 of one (RFC 9002 section 7.7). Behind an ACK for ten
  packets leave ten packets, and the next ACK reports the RTT of the last, which waited behind the others. Vegas took
  that for a queue.
- In congestion avoidance what waits at the receiver for its ACK (the largest ACK of late) comes on top of the window,
  less the alpha packets that the window has for the queue, and no more than the window has besides that ACK. A window
  of two to four packets more than the path carries, of which ten wait for their ACK, leaves the path idle. Where an ACK
  covers two or three packets, as at 1 Mbit/s, the window itself keeps the path busy, and more would only queue.
- Losses are answered as by NewReno (`cc.core.window`), as in Linux, without the retransmission rules of section 3.1.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.ack_size import AckSize
from cc.core.base import AckEvent, LossEvent, Phase, RttState, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.window import WindowScheme
from cc.sender.backlog import Backlog

# Linux; section 3.2 has alpha 2 and beta 4, section 3.3 gamma 1
ALPHA_PACKETS = 2
BETA_PACKETS = 4
GAMMA_PACKETS = 1
LOSS_REDUCTION_FACTOR = 0.5
SHORTEST_RTT_S = 1e-6


class Vegas(WindowScheme):
    """One packet more or less in a round trip, by the queue it would make."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._rtt: RttState | None = None
        self._backlog = Backlog(max_datagram_bytes)
        self._ack_size = AckSize()

    @property
    def room_bytes(self) -> int:
        if self.phase is not Phase.AVOIDANCE:
            return 0
        ack_bytes = self._ack_size.bytes
        beyond_queue_bytes = ack_bytes - ALPHA_PACKETS * self.max_datagram_bytes
        return int(max(0, min(beyond_queue_bytes, self._window_bytes - ack_bytes)))

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        if self._rtt is None or self.phase is Phase.SLOW_START:
            return None
        return self._window_bytes / max(min(self._rtt.smoothed_s, self._rtt.latest_s), SHORTEST_RTT_S)

    def on_ack(self, event: AckEvent) -> None:
        self._rtt = event.rtt
        self._backlog.count_rounds(event)
        self._ack_size.on_ack(event, rounds=self._backlog.rounds)
        super().on_ack(event)

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        """Section 3.2: at most once in a round trip, and by no more than was acknowledged (RFC 9002 section 7)."""
        queued = self._backlog.measure(event)
        if queued is None or ALPHA_PACKETS <= queued <= BETA_PACKETS:
            return self._window_bytes
        if queued < ALPHA_PACKETS:
            return self._window_bytes + min(self.max_datagram_bytes, acked_bytes)
        return max(self._window_bytes - self.max_datagram_bytes, self._minimum_window_bytes)

    def reduced_window_bytes(self, event: LossEvent) -> float:
        self._backlog.forget_round()
        return self._window_bytes * LOSS_REDUCTION_FACTOR

    def on_window_collapse(self) -> None:
        self._backlog.forget_rtts()

    def on_app_limited_ack(self, event: AckEvent) -> None:
        self._backlog.measure(event)

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if packet.is_app_limited and bytes_in_flight == packet.size_bytes:  # idle: the path may have changed meanwhile
            self._backlog.forget_rtts()

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), "base_rtt_s": self._backlog.base_rtt_s, "queued_packets": self._backlog.packets}

    def _grow_in_slow_start(self, event: AckEvent, acked_bytes: int) -> None:
        """Section 3.3: until more than gamma packets queue."""
        queued = self._backlog.measure(event)
        if queued is None or queued <= GAMMA_PACKETS:
            super()._grow_in_slow_start(event, acked_bytes)
            return
        # what the path carries without a queue, and one packet more, as Linux has it
        carried_bytes = self._backlog.flight_bytes - (queued - 1) * self.max_datagram_bytes
        self._set_window(min(self._window_bytes, max(carried_bytes, self._window_bytes / 2)))
        self._ssthresh_bytes = self._window_bytes


SCHEME = Scheme(
    name="vegas",
    title="Vegas",
    control="sender",
    family="Delay-based",
    summary="Keeps two to four packets in the queue, by the RTT above the smallest; one packet each round trip.",
    source="Brakmo, Peterson: TCP Vegas, IEEE JSAC 13(8), 1995",
    make_sender=Vegas,
)
