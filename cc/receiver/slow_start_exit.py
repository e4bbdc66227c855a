"""When a receiver ends slow start, and at which window."""

from __future__ import annotations

from collections import deque

from cc.core.base import MINIMUM_WINDOW_PACKETS
from cc.core.receiver_base import Stamp
from cc.receiver.bandwidth import Bandwidth
from cc.receiver.queueing_delay import least_standing_delay_s

EXIT_RTT_SHARE = 1 / 4  # the queue and the rate at the exit are those of the last quarter of a round trip


class SlowStartExit:
    """Watches a slow start until a queue stands."""

    def __init__(self, bandwidth: Bandwidth) -> None:
        self._bandwidth = bandwidth
        self._delays: deque[tuple[float, float]] = deque()

    def begin_anew(self) -> None:
        """Another slow start may follow."""
        self._delays.clear()

    def window_packets(self, stamp: Stamp, *, received_time_s: float, delay_s: float, reserve_s: float) -> float | None:
        """What the bottleneck carries with a queue of `reserve_s`, from when a queue stands; None until then.

        `delay_s` is the queueing delay of this stamp. Never more than the window in force.
        """
        round_trip_s = stamp.min_rtt_s
        if round_trip_s is None:
            return None
        watched_s = EXIT_RTT_SHARE * round_trip_s
        standing_s = self._standing_queue_s(delay_s, watched_s, received_time_s=received_time_s)
        if standing_s is None or standing_s < least_standing_delay_s(round_trip_s):
            return None
        cwnd_packets = stamp.cwnd_bytes / stamp.max_datagram_bytes
        rate = self._bandwidth.bytes_per_s_over(watched_s)
        if rate is None:
            return cwnd_packets
        fitting_packets = rate * (round_trip_s + reserve_s) / stamp.max_datagram_bytes
        return max(float(MINIMUM_WINDOW_PACKETS), min(cwnd_packets, fitting_packets))

    def _standing_queue_s(self, delay_s: float, window_s: float, *, received_time_s: float) -> float | None:
        """The least delay of the newest `window_s`; None until stamps cover so much."""
        delays = self._delays
        delays.append((received_time_s, delay_s))
        while len(delays) > 1 and received_time_s - delays[1][0] >= window_s:
            delays.popleft()
        if received_time_s - delays[0][0] < window_s:
            return None
        return min(least_s for _, least_s in delays)
