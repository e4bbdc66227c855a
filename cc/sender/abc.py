"""ABC, accel-brake control: the router marks each packet "accelerate" or "brake", and the window follows.

Source: Goyal et al., ABC: A Simple Explicit Congestion Controller for Wireless Networks, NSDI 2020, section 3 (window)
and section 4 (bottlenecks that know nothing of ABC). The router's half is `cc.links.queueing.accel_brake`.

Two windows are kept, and the smaller rules: one follows the marks, the other is CUBIC's, for losses and CE marks.
A router that knows nothing of ABC leaves every packet an accelerate, so that CUBIC's is the smaller.

Deviations:

- Windows and marks count bytes; the packets of an ACK are taken to be of one size.
- An ACK that tells nothing of marks is an ACK of accelerates. Chromium tells nothing in WebTransport sessions, where
  CUBIC's window rules in consequence.
- CUBIC is without HyStart++ here, which would take the router's own queue for the end of slow start.
- Windows are not capped at twice the bytes in flight while the application leaves them unused. In flight is what was
  when the acknowledged packet left, if that is more: the last ACKs of a burst find next to nothing, but are for packets
  of a full window. Capped by them, a sender of bursts began each with a few packets.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.slow_start import StandardSlowStart
from cc.core.window import initial_window_bytes
from cc.sender.cubic import Cubic

IN_FLIGHT_CAP = 2.0  # section 4: what is not the smaller window must not grow out of sight


class CappedCubic(Cubic):
    """CUBIC with the slow start of RFC 9002, a cap, and congestion marks."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._slow_start = StandardSlowStart()

    def cap(self, window_bytes: float) -> None:
        """Be no larger than this."""
        self._set_window(min(self._window_bytes, window_bytes))

    def on_congestion_mark(self, event: AckEvent) -> None:
        """RFC 9002 section 7.3.2: a mark is answered like a loss."""
        self.on_loss(
            LossEvent(
                now_s=event.now_s,
                lost=event.acked[-1:],
                lost_bytes=0,
                total_lost_bytes=event.total_lost_bytes,
                bytes_in_flight=event.bytes_in_flight,
                is_persistent_congestion=False,
            )
        )


class Abc(SenderScheme):
    """Two packets for an accelerate, none for a brake."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._cubic = CappedCubic(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._minimum_window_bytes = float(MINIMUM_WINDOW_PACKETS * max_datagram_bytes)
        self._window_bytes = float(initial_window_bytes(max_datagram_bytes))

    @property
    def cwnd_bytes(self) -> int:
        return min(int(self._window_bytes), self._cubic.cwnd_bytes)

    @property
    def phase(self) -> Phase:
        """CUBIC's where its window rules."""
        return self._cubic.phase if self._cubic.cwnd_bytes <= self._window_bytes else Phase.AVOIDANCE

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        self._cubic.on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=bytes_in_flight)

    def on_ack(self, event: AckEvent) -> None:
        if event.ecn is not None and event.ecn.ce > 0:
            self._cubic.on_congestion_mark(event)
        self._cubic.on_ack(event)
        self.window_resets = self._cubic.window_resets
        self._follow_marks(event)
        if not event.is_app_limited:
            # what the application drains from the flight shows before any packet is marked as limited by it
            in_flight_bytes = max(event.prior_bytes_in_flight, event.acked[-1].bytes_in_flight)
            cap_bytes = IN_FLIGHT_CAP * in_flight_bytes
            self._cubic.cap(cap_bytes)
            self._window_bytes = max(min(self._window_bytes, cap_bytes), self._minimum_window_bytes)

    def on_loss(self, event: LossEvent) -> None:
        self._cubic.on_loss(event)
        self.window_resets = self._cubic.window_resets

    def log_fields(self) -> Mapping[str, float | None]:
        return {"w_abc_bytes": self._window_bytes, "w_nonabc_bytes": float(self._cubic.cwnd_bytes)}

    def _follow_marks(self, event: AckEvent) -> None:
        """Section 3: w + 1 for an accelerate, w - 1 for a brake, and for both 1/w so that flows share fairly."""
        packets = len(event.acked)
        braked_packets = 0 if event.ecn is None else min(event.ecn.ect0, packets)
        change_bytes = -event.acked_bytes * braked_packets / packets
        if not event.is_app_limited:
            change_bytes += event.acked_bytes + change_bytes  # the accelerates are all the others
            change_bytes += self.max_datagram_bytes * event.acked_bytes / self._window_bytes
        self._window_bytes = max(self._window_bytes + change_bytes, self._minimum_window_bytes)


SCHEME = Scheme(
    name="abc",
    title="ABC",
    control="sender",
    family="Marked by routers",
    summary="Follows the accelerates and brakes of an ABC router; CUBIC where nothing marks.",
    source="Goyal et al., ABC, NSDI 2020",
    make_sender=Abc,
)
