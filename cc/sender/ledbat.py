"""LEDBAT: fills what others leave, and keeps its own queueing delay at 100 ms.

RFC 6817 (Low Extra Delay Background Transport). The window moves with the distance from the target, by no more than one
packet in a round trip, and is halved by a loss.

Deviations:

- Delays are round trips: the sender has no one-way delays (section 2.3). A queue on the way back counts as its own.
- Initial window and slow start are RFC 9002's (section 2.5 has two packets and leaves slow start open). Slow start
  ends when the queueing delay has reached a quarter of the target, with the window that was in flight when the delayed
  packet left: the window has doubled since, and LEDBAT would take it back by a packet in a round trip.
- The window does not grow while the application leaves it unused (RFC 9002 section 7.8), which is what ALLOWED_INCREASE
  is for; it shrinks by delay even then.
- Persistent congestion (RFC 9002 section 7.6) stands for the congestion timeout.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from cc.core.base import AckEvent, LossEvent, Phase
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.window import WindowScheme
from cc.sender.base_delay import BaseDelay

# Section 2.5
TARGET_S = 0.100
GAIN = 1.0
CURRENT_FILTER_SAMPLES = 4
LOSS_REDUCTION_FACTOR = 0.5
SLOW_START_DELAY_S = TARGET_S / 4


class DelayHistory:
    """Base delay, and the delay now (section 2.4.2)."""

    __slots__ = ("_base", "_base_s", "_current_s")

    def __init__(self) -> None:
        self._base = BaseDelay()
        self._base_s = 0.0
        self._current_s: deque[float] = deque(maxlen=CURRENT_FILTER_SAMPLES)

    @property
    def queueing_delay_s(self) -> float | None:
        """The smallest delay of late above the smallest of ten minutes; None before the first sample."""
        return min(self._current_s) - self._base_s if self._current_s else None

    def on_sample(self, delay_s: float, *, now_s: float) -> None:
        """Take a delay."""
        self._current_s.append(delay_s)
        self._base_s = self._base.on_sample(delay_s, now_s=now_s)


class Ledbat(WindowScheme):
    """A linear controller of the queueing delay."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._delays = DelayHistory()

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        """Section 2.4.2: cwnd += GAIN * off_target * bytes_newly_acked * MSS / cwnd."""
        self._sample(event)
        return self._moved_window_bytes(acked_bytes)

    def reduced_window_bytes(self, event: LossEvent) -> float:
        return self._window_bytes * LOSS_REDUCTION_FACTOR

    def on_app_limited_ack(self, event: AckEvent) -> None:
        self._sample(event)
        if self.phase is not Phase.SLOW_START:
            self._set_window(min(self._window_bytes, self._moved_window_bytes(event.acked_bytes)))

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), "queueing_delay_s": self._delays.queueing_delay_s}

    def _grow_in_slow_start(self, event: AckEvent, acked_bytes: int) -> None:
        self._sample(event)
        delay_s = self._delays.queueing_delay_s
        if delay_s is None or delay_s < SLOW_START_DELAY_S:
            super()._grow_in_slow_start(event, acked_bytes)
            return
        self._set_window(max(self._window_bytes / 2, min(self._window_bytes, event.acked[-1].bytes_in_flight)))
        self._ssthresh_bytes = self._window_bytes

    def _sample(self, event: AckEvent) -> None:
        if event.rtt is not None and event.has_rtt_sample:
            self._delays.on_sample(event.rtt.latest_s, now_s=event.now_s)

    def _moved_window_bytes(self, acked_bytes: int) -> float:
        delay_s = self._delays.queueing_delay_s
        if delay_s is None:
            return self._window_bytes
        off_target = (TARGET_S - delay_s) / TARGET_S
        change_bytes = GAIN * off_target * acked_bytes * self.max_datagram_bytes / self._window_bytes
        window_bytes = max(self._window_bytes + change_bytes, self._minimum_window_bytes)
        if self._ssthresh_bytes is not None:  # a window that delay has shrunk must not be back in slow start
            self._ssthresh_bytes = min(self._ssthresh_bytes, window_bytes)
        return window_bytes


SCHEME = Scheme(
    name="ledbat",
    title="LEDBAT",
    control="sender",
    family="Delay-based",
    summary="For the background: keeps its queueing delay at 100 ms, and leaves the link to those that want more.",
    source="RFC 6817",
    make_sender=Ledbat,
)
