"""Bandwidth of the bottleneck as its receiver sees it.

While a queue stands at the bottleneck, what arrives is what the link can carry: the delivered rate is the capacity.
While none stands, the capacity is at least the delivered rate. Where losses, a policer or the server's pacing hold the
flow below it, a download gets no more all the same: the estimate falls to what arrives, slowly, so that drains and a
window that was just cut hardly show. It never falls where the flow asks for less than it could have: while the
application or the receiver holds it back, and in slow start.

The delivered rate of an interval is its bytes over the longer of its send and receive durations
(draft-cheng-iccrg-delivery-rate-estimation-02 section 3.2), counted between stamps, so that loss of stamps does not
disturb it. An interval lasts until it holds `MINIMUM_BYTES`: on a slow link that takes longer than all else, and no
silence is shorter.
"""

from __future__ import annotations

import math
from collections import deque

from cc.core.base import Phase
from cc.core.receiver_base import Stamp

BUSY_QUEUEING_DELAY_S = 0.010  # of 1, 3 and 10 ms the one with the least error on simulated LTE links
RATE_WINDOW_S = 0.1  # shorter windows see the bursts of cellular links instead of their capacity
AVERAGING_S = 0.15  # time constant of the capacity's exponential average
FALL_S = 2.0  # the same without a queue, downwards
IDLE_GAP_S = 0.05  # a pause of the application is a longer gap between stamps; any other is longer, too, ...
IDLE_GAP_FACTOR = 2.0  # ... than two round trips and than so many times the gap before: on a slow link all are long
MINIMUM_BYTES = 12_000  # ten packets: fewer say nothing
MINIMUM_INTERVAL_S = 1e-4

_Arrival = tuple[float, float, int]
"""When a stamp was sent and received, and the bytes sent before it."""


class Bandwidth:
    """Estimated bandwidth in bytes per second of UDP payload; None until something was measured."""

    def __init__(self) -> None:
        self.bytes_per_s: float | None = None
        self.delivered_bytes_per_s: float | None = None
        self._stamps: deque[_Arrival] = deque()
        self._gap_s = 0.0
        """Between the sending of the newest two."""
        self._is_busy = False
        self._limited_s = -math.inf
        """When a stamp last told that the flow asked for less than it could have."""

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, queueing_delay_s: float, is_held: bool = False) -> None:
        """Take one stamp, in order of sequence, with the queueing delay that it had.

        `is_held`: the receiver keeps the flow slower than the link, whose rate is the least that the link carries.
        """
        stamps = self._stamps
        round_trip_s = stamp.min_rtt_s or 0.0
        elapsed_s = 0.0
        if stamps:
            last_send_s, last_received_s, _ = stamps[-1]
            elapsed_s = max(0.0, received_time_s - last_received_s)
            if self._is_pause(stamp, stamp.send_time_s - last_send_s):
                stamps.clear()
        stamps.append((stamp.send_time_s, received_time_s, stamp.bytes_sent))
        window_s = max(RATE_WINDOW_S, round_trip_s)
        while len(stamps) > 2 and self._is_covered_since(stamps[1], window_s):
            stamps.popleft()

        self._is_busy = queueing_delay_s > BUSY_QUEUEING_DELAY_S
        if is_held or stamp.is_app_limited or stamp.phase is Phase.SLOW_START:
            self._limited_s = received_time_s
        rate = self._bytes_per_s_since(stamps[0])
        if rate is None:
            return
        self.delivered_bytes_per_s = rate
        if self.bytes_per_s is None:
            self.bytes_per_s = rate
        elif self._is_busy and not is_held:
            self.bytes_per_s += elapsed_s / (AVERAGING_S + elapsed_s) * (rate - self.bytes_per_s)
        elif rate > self.bytes_per_s:
            self.bytes_per_s = rate
        elif self._limited_s < stamps[0][1]:
            self.bytes_per_s += elapsed_s / (FALL_S + elapsed_s) * (rate - self.bytes_per_s)

    def start_epoch(self) -> None:
        """The clocks changed: times before and after now have nothing to do with each other. The estimate stays."""
        self._stamps.clear()
        self._gap_s = 0.0
        self._is_busy = False
        self._limited_s = -math.inf

    def bytes_per_s_over(self, window_s: float) -> float | None:
        """Delivered bytes per second over the newest `window_s`; None where too little was delivered."""
        stamps = self._stamps
        if not stamps:
            return None
        newest_received_s = stamps[-1][1]
        start = stamps[0]
        for stamp in reversed(stamps):
            start = stamp
            if newest_received_s - stamp[1] >= window_s:
                break
        return self._bytes_per_s_since(start)

    def at(self, *, now_s: float, waits_since_s: float | None) -> float | None:
        """The estimate at `now_s`: silence while data is expected on a busy link says that it has slowed down.

        `waits_since_s`: since when data has been expected; None where none is.
        """
        if self.bytes_per_s is None or not self._stamps or waits_since_s is None:
            return self.bytes_per_s
        silence_s = now_s - max(waits_since_s, self._stamps[-1][1])
        window_s = max(RATE_WINDOW_S, MINIMUM_BYTES / self.bytes_per_s)
        if not self._is_busy or silence_s <= window_s:
            return self.bytes_per_s
        return self.bytes_per_s * window_s / silence_s

    def _is_pause(self, stamp: Stamp, gap_s: float) -> bool:
        """Whether the time since the stamp before says nothing of the link's rate."""
        before_s, self._gap_s = self._gap_s, gap_s
        if stamp.is_app_limited:
            return gap_s > IDLE_GAP_S
        return gap_s > max(IDLE_GAP_S, 2 * (stamp.min_rtt_s or 0.0), IDLE_GAP_FACTOR * before_s)

    def _is_covered_since(self, start: _Arrival, window_s: float) -> bool:
        """Whether what came since then makes a rate without what was before."""
        newest = self._stamps[-1]
        return newest[1] - start[1] >= window_s and newest[2] - start[2] >= MINIMUM_BYTES

    def _bytes_per_s_since(self, start: _Arrival) -> float | None:
        send_time_s, received_time_s, bytes_sent = self._stamps[-1]
        delivered_bytes = bytes_sent - start[2]
        interval_s = max(send_time_s - start[0], received_time_s - start[1])
        if delivered_bytes < MINIMUM_BYTES or interval_s < MINIMUM_INTERVAL_S:
            return None
        return delivered_bytes / interval_s
