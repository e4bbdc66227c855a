"""Catching up with a link that has changed: moves of Nuwa's window that are in proportion to it.

Not the paper's. Its equation 6 moves the window by at most k packets a round trip, so that after a handover to ten
times the rate the link stands idle for seconds, and after one to a tenth of it the queue stays for seconds. Here the
window doubles each round trip, as in slow start (RFC 9002 section 7.3.1), once the queue has been empty for a quarter
of one, and falls by up to `FALL_SHARE` in each once the queue has been above its target for as long. A round trip is
the shortest and the queue's delay, since the smoothed one is still long when a queue has just gone.
"""

from __future__ import annotations

from enum import Enum

from cc.receiver.queueing_delay import least_standing_delay_s
from cc.receiver_base import Stamp

LASTING_RTT_SHARE = 1 / 4  # of a round trip, for which the queue must have been so; as at the end of slow start
FALL_SHARE = 0.5  # of the window, in a round trip far above the target


class _Queue(Enum):
    EMPTY = "empty"
    MODERATE = "moderate"
    ABOVE_TARGET = "above its target"


class CatchUp:
    """Watches for how long the queue has been empty or above its target."""

    def __init__(self) -> None:
        self._queue = _Queue.MODERATE
        self._since_s = 0.0
        self._has_lasted = False

    def forget(self) -> None:
        """What comes next has nothing to do with what was."""
        self._queue = _Queue.MODERATE
        self._has_lasted = False

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, delay_s: float, target_s: float) -> None:
        """Take the queueing delay, and what it should be, after each stamp."""
        queue = _state_of(stamp, delay_s=delay_s, target_s=target_s)
        if queue is not self._queue:
            self._queue = queue
            self._since_s = received_time_s
            self._has_lasted = False
        elif received_time_s - self._since_s >= LASTING_RTT_SHARE * ((stamp.min_rtt_s or 0.0) + delay_s):
            self._has_lasted = True

    def step_packets(self, step_packets: float, *, theta: float, window_packets: float) -> float:
        """How far the window moves in a round trip, where equations 5 and 6 have `theta` and `step_packets`."""
        if not self._has_lasted:
            return step_packets
        if self._queue is _Queue.EMPTY:
            return max(step_packets, window_packets)
        if self._queue is _Queue.ABOVE_TARGET:
            return min(step_packets, theta * FALL_SHARE * window_packets)
        return step_packets


def _state_of(stamp: Stamp, *, delay_s: float, target_s: float) -> _Queue:
    if delay_s > target_s:
        return _Queue.ABOVE_TARGET
    if stamp.min_rtt_s is None or stamp.is_app_limited or delay_s >= least_standing_delay_s(stamp.min_rtt_s):
        return _Queue.MODERATE
    return _Queue.EMPTY
