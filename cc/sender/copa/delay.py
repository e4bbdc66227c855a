"""What Copa reads off RTTs: the queueing delay, and whether the queue empties (sections 2.1 and 2.2 of its paper)."""

from __future__ import annotations

from cc.core.base import DeliveryRate, RttState
from cc.core.windowed_filter import WindowedMaximum, WindowedMinimum

RTT_MIN_WINDOW_S = 10.0  # section 2.1
STANDING_RTT_SHARE = 0.5  # section 2.1: tau = srtt/2
EMPTY_QUEUE_RTTS = 5  # section 2.2: with none but Copa flows the queue empties this often
RTT_MAX_RTTS = 4  # section 2.2
NEARLY_EMPTY_SHARE = 0.1  # section 2.2: of RTTmax - RTTmin
NEARLY_EMPTY_PACKETS = 2.5  # above the 1/delta = 2 at which Copa itself rests
CLOCK_GRAIN_S = 0.001
"""What stands without a queue: emulated links count whole milliseconds, and event loops sleep for such."""


class QueueDelay:
    """RTTmin, RTTstanding and RTTmax (sections 2.1 and 2.2)."""

    __slots__ = ("_delivery_rate", "_max_datagram_bytes", "_maximum", "_minimum", "_nearly_empty_s", "_standing")

    def __init__(self, max_datagram_bytes: int) -> None:
        self._max_datagram_bytes = max_datagram_bytes
        self._delivery_rate = WindowedMaximum(RTT_MIN_WINDOW_S)
        self._minimum = WindowedMinimum(RTT_MIN_WINDOW_S)
        self._standing = WindowedMinimum(0.0)
        self._maximum = WindowedMaximum(0.0)
        self._nearly_empty_s: float | None = None

    @property
    def standing_rtt_s(self) -> float | None:
        """The smallest RTT of the last half round trip, which jitter and lumps of ACKs do not move."""
        return self._standing.best

    @property
    def queueing_delay_s(self) -> float | None:
        """d_q = RTTstanding - RTTmin, less the grain of clocks; None before the first sample."""
        standing_s, minimum_s = self._standing.best, self._minimum.best
        return None if standing_s is None or minimum_s is None else max(0.0, standing_s - minimum_s - CLOCK_GRAIN_S)

    def on_sample(self, rtt: RttState, rate: DeliveryRate | None, *, now_s: float) -> None:
        """Take an ACK's RTT and its delivery rate."""
        if rate is not None:
            self._delivery_rate.update(rate.bytes_per_s, at=now_s)
        self._standing.window = STANDING_RTT_SHARE * rtt.smoothed_s
        self._maximum.window = RTT_MAX_RTTS * rtt.smoothed_s
        minimum_s = self._minimum.update(rtt.latest_s, at=now_s)
        standing_s = self._standing.update(rtt.latest_s, at=now_s)
        maximum_s = self._maximum.update(rtt.latest_s, at=now_s)
        noise_s = CLOCK_GRAIN_S + NEARLY_EMPTY_PACKETS * self._packet_time_s
        if standing_s - minimum_s <= max(NEARLY_EMPTY_SHARE * (maximum_s - minimum_s), noise_s):
            self._nearly_empty_s = now_s

    @property
    def _packet_time_s(self) -> float:
        """What a full packet takes at the largest delivery rate of late."""
        rate_bytes_per_s = self._delivery_rate.best
        return 0.0 if rate_bytes_per_s is None else self._max_datagram_bytes / rate_bytes_per_s

    def has_emptied(self, rtt: RttState, *, now_s: float) -> bool:
        """Whether the queue was nearly empty within the last five round trips (section 2.2)."""
        return self._nearly_empty_s is not None and now_s - self._nearly_empty_s <= EMPTY_QUEUE_RTTS * rtt.smoothed_s
