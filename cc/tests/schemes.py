"""Senders that are no schemes, to try the simulation with."""

from __future__ import annotations

from cc.core.base import AckEvent, LossEvent, Phase, SenderScheme
from cc.core.random_source import RandomSource


class Fixed(SenderScheme):
    """A window and a rate that nothing changes; keeps what it is told."""

    may_change_on_send = False

    def __init__(
        self,
        *,
        max_datagram_bytes: int,
        rng: RandomSource,
        window_packets: float = 10,
        rate_bytes_per_s: float | None = None,
    ) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self.window_bytes = window_packets * max_datagram_bytes
        self.rate_bytes_per_s = rate_bytes_per_s
        self.acks: list[AckEvent] = []
        self.losses: list[LossEvent] = []

    @property
    def cwnd_bytes(self) -> int:
        return int(self.window_bytes)

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        return self.rate_bytes_per_s

    @property
    def phase(self) -> Phase:
        return Phase.AVOIDANCE

    def on_ack(self, event: AckEvent) -> None:
        self.acks.append(event)

    def on_loss(self, event: LossEvent) -> None:
        self.losses.append(event)


class Breaking(Fixed):
    """Calls `break_down` at the tenth ACK."""

    def on_ack(self, event: AckEvent) -> None:
        super().on_ack(event)
        if len(self.acks) == 10:
            self.break_down()

    def break_down(self) -> None:
        raise ZeroDivisionError("no packets")


class WithoutWindow(Breaking):
    def break_down(self) -> None:
        self.window_bytes = 1.9 * self.max_datagram_bytes


class WithNan(Breaking):
    def break_down(self) -> None:
        self.window_bytes = float("nan")


class WithNanRate(Breaking):
    def break_down(self) -> None:
        self.rate_bytes_per_s = float("nan")


class WithoutRate(Breaking):
    def break_down(self) -> None:
        self.rate_bytes_per_s = 0.0
