"""A stepped window that measures what each interval brought."""

from __future__ import annotations

from abc import abstractmethod

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.interval import IntervalMeasurement, IntervalMeter
from cc.core.random_source import RandomSource
from cc.sender.stepped_window import SteppedWindow


class MeteredWindow(SteppedWindow):
    """CUBIC, until a policy answers."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._meter = IntervalMeter()
        self._measured: IntervalMeasurement | None = None

    @abstractmethod
    def features_of(self, measured: IntervalMeasurement, event: AckEvent) -> tuple[float, ...]:
        """What the policy is shown of the interval that the ACK ends."""

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if self._meter.start_s is None:
            self._meter.begin(now_s)
        self._meter.on_packet_sent(packet)
        super().on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=bytes_in_flight)

    def on_ack(self, event: AckEvent) -> None:
        self._meter.on_ack(event)
        super().on_ack(event)

    def on_loss(self, event: LossEvent) -> None:
        self._meter.on_loss(event)
        super().on_loss(event)

    def ask(self, event: AckEvent) -> None:
        """Once it has sent: ACKs may first be of what another scheme sent."""
        if self._meter.start_s is not None:
            super().ask(event)

    def measured(self) -> IntervalMeasurement | None:
        return self._measured

    def features(self, event: AckEvent) -> tuple[float, ...]:
        self._measured = self._meter.end(event.now_s)
        return self.features_of(self._measured, event)
