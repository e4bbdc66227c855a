"""What a sender measures between two decisions: rates, losses and round-trip times, whatever ended the interval."""

from __future__ import annotations

from dataclasses import dataclass

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.least_squares import slope


@dataclass(frozen=True, slots=True)
class IntervalMeasurement:
    """An interval that is over; sizes are UDP payload."""

    start_s: float
    duration_s: float
    sent_bytes: int
    acked_bytes: int
    lost_bytes: int
    rtt_mean_s: float | None
    """None without a sample; so are the two below."""
    rtt_min_s: float | None
    rtt_gradient: float | None
    """Slope of a line through the samples over the times of their ACKs, in seconds a second; None below two times."""

    @property
    def acked_bytes_per_s(self) -> float:
        """The rate of delivery as the sender sees it."""
        return self.acked_bytes / self.duration_s if self.duration_s > 0 else 0.0

    @property
    def loss_ratio(self) -> float:
        """Lost bytes of those whose fate became known; 0 of nothing."""
        known_bytes = self.acked_bytes + self.lost_bytes
        return self.lost_bytes / known_bytes if known_bytes > 0 else 0.0


class IntervalMeter:
    """Books what a scheme is told; `end` closes one interval and begins the next."""

    def __init__(self) -> None:
        self.start_s: float | None = None
        """None until the first `begin`."""
        self._sent_bytes = 0
        self._acked_bytes = 0
        self._lost_bytes = 0
        self._rtts: list[tuple[float, float]] = []

    def begin(self, now_s: float) -> None:
        """Drop what was booked and start anew."""
        self.start_s = now_s
        self._sent_bytes = self._acked_bytes = self._lost_bytes = 0
        self._rtts.clear()

    def on_packet_sent(self, packet: SentPacket) -> None:
        """A packet left."""
        self._sent_bytes += packet.size_bytes

    def on_ack(self, event: AckEvent) -> None:
        """Packets arrived."""
        self._acked_bytes += event.acked_bytes
        if event.has_rtt_sample and event.rtt is not None:
            self._rtts.append((event.now_s, event.rtt.latest_s))

    def on_loss(self, event: LossEvent) -> None:
        """Packets were lost."""
        self._lost_bytes += event.lost_bytes

    def end(self, now_s: float) -> IntervalMeasurement:
        """The interval up to now. Only between `begin` and the end of the flow."""
        assert self.start_s is not None
        rtts_s = [rtt_s for _, rtt_s in self._rtts]
        measured = IntervalMeasurement(
            start_s=self.start_s,
            duration_s=now_s - self.start_s,
            sent_bytes=self._sent_bytes,
            acked_bytes=self._acked_bytes,
            lost_bytes=self._lost_bytes,
            rtt_mean_s=sum(rtts_s) / len(rtts_s) if rtts_s else None,
            rtt_min_s=min(rtts_s, default=None),
            rtt_gradient=slope(self._rtts),
        )
        self.begin(now_s)
        return measured
