"""Sprout-EWMA: keeps in flight what a moving average of the delivery rate should carry within 100 ms.

Source: Winstein, Sivaraman, Balakrishnan: Stochastic Forecasts Achieve High Throughput and Low Delay over Cellular
Networks, NSDI 2013, section 5.3 (the variant); numbers as in the authors' code (github.com/keithw/sprout, branch
ewma-noforecast, commit 2f038cc, receiver.cc and sproutconn.cc).

Deviations: those of `cc.sender.sprout.base`, and

- A tick takes the packets acknowledged in it.
- It counts bytes, the authors packets of 1400 bytes rounded down.
- It starts as if ten packets had been delivered in 100 ms; the authors start from nothing.
- Ticks in which the application was the limit can raise the average, but not lower it; the authors' sender announces
  its pauses and the receiver leaves out empty ticks only.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import AckEvent, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.window import initial_window_bytes
from cc.sender.sprout.base import TARGET_DELAY_TICKS, TICK_S, ForecastWindow

GAIN = 1 / 8  # receiver.cc, advance_to


class SproutEwma(ForecastWindow):
    """The forecast says that the future is like the recent past."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._bytes_per_tick = initial_window_bytes(max_datagram_bytes) / TARGET_DELAY_TICKS
        self._bytes_this_tick = 0
        self._is_app_limited_tick = False

    def forecast_bytes(self, ticks: int) -> float:
        """What should be delivered in so many ticks (receiver.cc, forecast)."""
        return self._bytes_per_tick * ticks

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if bytes_in_flight == packet.size_bytes:  # nothing was under way: silence until its ACK says nothing
            self._average_tick(is_app_limited=True)
            self._tick_began_s = None if self._min_rtt_s is None else now_s + self._min_rtt_s

    def count(self, event: AckEvent) -> None:
        self._bytes_this_tick += event.acked_bytes
        self._is_app_limited_tick |= event.is_app_limited or event.acked[-1].is_app_limited

    def pass_outage(self, ticks: int, *, now_s: float) -> None:
        self._bytes_per_tick *= (1 - GAIN) ** ticks
        self._bytes_this_tick = 0
        self._tick_began_s = now_s

    def log_fields(self) -> Mapping[str, float | None]:
        return {"forecast_bytes_per_s": self._bytes_per_tick / TICK_S}

    def end_ticks(self, event: AckEvent) -> int:
        if self._tick_began_s is None:
            self._tick_began_s = event.now_s
        ticks = int((event.now_s - self._tick_began_s) / TICK_S)
        if ticks < 1:
            return 0
        self._tick_began_s += ticks * TICK_S
        was_app_limited = self._is_app_limited_tick
        self._average_tick(is_app_limited=was_app_limited)
        if not was_app_limited:
            self._bytes_per_tick *= (1 - GAIN) ** (ticks - 1)  # ticks of silence
        return ticks

    def _average_tick(self, *, is_app_limited: bool) -> None:
        """Take what the tick delivered into the average: r = 7/8 r + 1/8 of it (receiver.cc, advance_to)."""
        if not is_app_limited or self._bytes_this_tick > self._bytes_per_tick:
            self._bytes_per_tick += GAIN * (self._bytes_this_tick - self._bytes_per_tick)
        self._bytes_this_tick = 0
        self._is_app_limited_tick = False


SCHEME = Scheme(
    name="sprout-ewma",
    title="Sprout-EWMA",
    control="sender",
    family="Model-based",
    summary="Keeps in flight what a moving average of the delivery rate should carry within 100 ms.",
    source="Winstein, Sivaraman, Balakrishnan: Sprout, NSDI 2013, the EWMA variant",
    make_sender=SproutEwma,
)
