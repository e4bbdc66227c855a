"""Sprout-EWMA: keeps in flight what a moving average of the delivery rate should carry within 100 ms.

Source: Winstein, Sivaraman, Balakrishnan: Stochastic Forecasts Achieve High Throughput and Low Delay over Cellular
Networks, NSDI 2013, section 5.3 (the variant) and section 3.5 (the window); numbers as in the authors' code
(github.com/keithw/sprout, branch ewma-noforecast, commit 2f038cc, receiver.cc and sproutconn.cc).

The window covers propagation and queue alike: paths with an RTT of 100 ms and more are never filled, as with Sprout.

Deviations:

- Ticks are counted when ACKs arrive, not where packets do: a tick takes the packets acknowledged in it.
- The forecast is made anew with each ACK, and does not run on between ACKs: there are no timers. The authors let two
  ticks more of packets out when no news comes.
- After a silence of more than five ticks and a round trip each ACK lets two packets leave, until what is in flight is
  less than the forecast: those that are lost would else stand against the window until the next probe. The authors
  write lost packets off when any packet arrives, and send one every 50 ms whatever the window is.
- It counts bytes, the authors packets of 1400 bytes rounded down.
- It starts as if ten packets had been delivered in 100 ms; the authors start from nothing.
- Ticks in which the application was the limit can raise the average, but not lower it; the authors' sender announces
  its pauses and the receiver leaves out empty ticks only.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.window import initial_window_bytes

TICK_S = 0.020  # TICK_LENGTH
GAIN = 1 / 8  # receiver.cc, advance_to
TARGET_DELAY_TICKS = 5  # sproutconn.h: packets should leave the queue within 100 ms


class SproutEwma(SenderScheme):
    """The forecast says that the future is like the recent past."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._minimum_window_bytes = MINIMUM_WINDOW_PACKETS * max_datagram_bytes
        self._initial_bytes_per_tick = initial_window_bytes(max_datagram_bytes) / TARGET_DELAY_TICKS
        self._bytes_per_tick = self._initial_bytes_per_tick
        self._tick_began_s: float | None = None
        self._bytes_this_tick = 0
        self._is_app_limited_tick = False
        self._min_rtt_s: float | None = None
        self._smoothed_rtt_s = 0.0
        self._after_silence_bytes: int | None = None
        """The window after a silence, while what is in flight may be lost; else None."""

    @property
    def cwnd_bytes(self) -> int:
        least_bytes = self._after_silence_bytes or self._minimum_window_bytes
        return int(max(self.forecast_bytes(TARGET_DELAY_TICKS), least_bytes))

    @property
    def phase(self) -> Phase:
        return Phase.AVOIDANCE

    def forecast_bytes(self, ticks: int) -> float:
        """What should be delivered in so many ticks (receiver.cc, forecast)."""
        return self._bytes_per_tick * ticks

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if bytes_in_flight == packet.size_bytes:  # nothing was under way: silence until its ACK says nothing
            self._average_tick(is_app_limited=True)
            self._tick_began_s = None if self._min_rtt_s is None else now_s + self._min_rtt_s

    def on_ack(self, event: AckEvent) -> None:
        ticks = self._end_ticks(event.now_s)
        is_silence = ticks > max(TARGET_DELAY_TICKS, self._smoothed_rtt_s / TICK_S)
        self._probe_after_silence(event.bytes_in_flight, has_been_silent=is_silence)
        if event.rtt is not None:
            self._min_rtt_s = event.rtt.min_s
            self._smoothed_rtt_s = event.rtt.smoothed_s
        self._bytes_this_tick += event.acked_bytes
        self._is_app_limited_tick |= event.is_app_limited or event.acked[-1].is_app_limited

    def on_loss(self, event: LossEvent) -> None:
        """A loss says nothing, but in an outage the ticks without an ACK must count: no ACK will come to end them."""
        self._probe_after_silence(event.bytes_in_flight, has_been_silent=False)
        if not event.is_persistent_congestion:
            return
        silent_ticks = max(TARGET_DELAY_TICKS, int((event.now_s - event.lost[0].sent_time_s) / TICK_S))
        self._bytes_per_tick *= (1 - GAIN) ** silent_ticks
        self._bytes_this_tick = 0
        self._tick_began_s = event.now_s

    def log_fields(self) -> Mapping[str, float | None]:
        return {"forecast_bytes_per_s": self._bytes_per_tick / TICK_S}

    def _probe_after_silence(self, bytes_in_flight: int, *, has_been_silent: bool) -> None:
        """Let two packets leave whatever is in flight, until that is less than the forecast."""
        if has_been_silent or self._after_silence_bytes is not None:
            is_over = bytes_in_flight < self.forecast_bytes(TARGET_DELAY_TICKS)
            self._after_silence_bytes = None if is_over else bytes_in_flight + self._minimum_window_bytes

    def _end_ticks(self, now_s: float) -> int:
        """Take the ticks that are over into the average; how many they are."""
        if self._tick_began_s is None:
            self._tick_began_s = now_s
        ticks = int((now_s - self._tick_began_s) / TICK_S)
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
