"""What Sprout and its EWMA variant share: the window that a forecast makes, and the way out of a silence.

Source: Winstein, Sivaraman, Balakrishnan: Stochastic Forecasts Achieve High Throughput and Low Delay over Cellular
Networks, NSDI 2013, section 3.5: no more is in flight than the link should carry within 100 ms.

The window covers propagation and queue alike: paths with an RTT of 100 ms and more are never filled, as with Sprout.

Deviations:

- Ticks are counted when ACKs arrive, not where packets do.
- The forecast is made anew with each ACK, and does not run on between ACKs: there are no timers. The authors let two
  ticks more of packets out when no news comes.
- After a silence of more than five ticks and a round trip each ACK lets two packets leave, until what is in flight is
  less than the forecast: those that are lost would else stand against the window until the next probe. The authors
  write lost packets off when any packet arrives, and send one every 50 ms whatever the window is.
"""

from __future__ import annotations

from abc import abstractmethod

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme
from cc.core.random_source import RandomSource

TICK_S = 0.020  # TICK_LENGTH
TARGET_DELAY_TICKS = 5  # sproutconn.h: packets should leave the queue within 100 ms


class ForecastWindow(SenderScheme):
    """Keeps in flight what a forecast says."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._minimum_window_bytes = MINIMUM_WINDOW_PACKETS * max_datagram_bytes
        self._tick_began_s: float | None = None
        self._min_rtt_s: float | None = None
        self._smoothed_rtt_s = 0.0
        self._after_silence_bytes: int | None = None
        """The window after a silence, while what is in flight may be lost; else None."""

    # What a variant supplies

    @abstractmethod
    def forecast_bytes(self, ticks: int) -> float:
        """What should be delivered in so many ticks."""

    @abstractmethod
    def end_ticks(self, event: AckEvent) -> int:
        """Take the ticks that are over at this ACK into the forecast; how many they are."""

    @abstractmethod
    def pass_outage(self, ticks: int, *, now_s: float) -> None:
        """Pass so many ticks that were without an ACK, and none will come to end them."""

    def count(self, event: AckEvent) -> None:
        """Take an ACK into the tick that is under way."""

    # What the transport sees

    @property
    def cwnd_bytes(self) -> int:
        least_bytes = self._after_silence_bytes or self._minimum_window_bytes
        return int(max(self.forecast_bytes(TARGET_DELAY_TICKS), least_bytes))

    @property
    def phase(self) -> Phase:
        return Phase.AVOIDANCE

    def on_ack(self, event: AckEvent) -> None:
        ticks = self.end_ticks(event)
        is_silence = ticks > max(TARGET_DELAY_TICKS, self._smoothed_rtt_s / TICK_S)
        self._probe_after_silence(event.bytes_in_flight, has_been_silent=is_silence)
        if event.rtt is not None:
            self._min_rtt_s = event.rtt.min_s
            self._smoothed_rtt_s = event.rtt.smoothed_s
        self.count(event)

    def on_loss(self, event: LossEvent) -> None:
        """A loss says nothing, but in an outage the ticks without an ACK must count: no ACK will come to end them."""
        self._probe_after_silence(event.bytes_in_flight, has_been_silent=False)
        if event.is_persistent_congestion:
            silent_ticks = max(TARGET_DELAY_TICKS, int((event.now_s - event.lost[0].sent_time_s) / TICK_S))
            self.pass_outage(silent_ticks, now_s=event.now_s)

    def _probe_after_silence(self, bytes_in_flight: int, *, has_been_silent: bool) -> None:
        """Let two packets leave whatever is in flight, until that is less than the forecast."""
        if has_been_silent or self._after_silence_bytes is not None:
            is_over = bytes_in_flight < self.forecast_bytes(TARGET_DELAY_TICKS)
            self._after_silence_bytes = None if is_over else bytes_in_flight + self._minimum_window_bytes
