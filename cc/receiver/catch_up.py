"""Catching up with a link that has changed: moves of Nuwa's window that are in proportion to it.

Not the paper's. Its equation 6 moves the window by at most k packets a round trip, so that after a handover to ten
times the rate the link stands idle for seconds, and after one to a tenth of it the queue stays for seconds. Here the
window doubles each round trip, as in slow start (RFC 9002 section 7.3.1), once the queue has been empty for a quarter
of one, and falls by up to `FALL_SHARE` in each once the queue has been above its target for as long. A round trip is
the shortest and the queue's delay, since the smoothed one is still long when a queue has just gone.

What such a move does is seen a round trip later. So where the target is shorter than that, both moves are smaller by
as much: what is moved too far is then no more than a queue of the target's length.
"""

from __future__ import annotations

from enum import Enum

from cc.core.receiver_base import Stamp
from cc.receiver.queueing_delay import least_standing_delay_s

LASTING_RTT_SHARE = 1 / 4  # how much of a round trip the queue must have been empty, or above its target
FALL_SHARE = 0.5  # of the window, in a round trip far above the target
EMPTY_TARGET_SHARE = 0.5  # of the target: a queue of this length is never taken for none


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
        self._most_share = 0.0

    def forget(self) -> None:
        """What comes next has nothing to do with what was."""
        self._queue = _Queue.MODERATE
        self._has_lasted = False

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, delay_s: float, target_s: float) -> None:
        """Take the queueing delay, and what it should be, after each stamp."""
        if stamp.min_rtt_s is not None:
            self._most_share = min(1.0, target_s / stamp.min_rtt_s)
        queue = _queue_of(stamp, delay_s=delay_s, target_s=target_s)
        if queue is not self._queue:
            self._queue = queue
            self._since_s = received_time_s
            self._has_lasted = False
        elif received_time_s - self._since_s >= LASTING_RTT_SHARE * ((stamp.min_rtt_s or 0.0) + delay_s):
            self._has_lasted = True

    def share(self, theta: float) -> float:
        """How much of itself the window moves in a round trip, where equation 5 has `theta`; 0 where eq. 6 suffices."""
        if not self._has_lasted or self._queue is _Queue.MODERATE:
            return 0.0
        return self._most_share * (1.0 if self._queue is _Queue.EMPTY else FALL_SHARE * theta)


def _queue_of(stamp: Stamp, *, delay_s: float, target_s: float) -> _Queue:
    """What the queue is like; of a sender that is application-limited, an empty one says nothing of the link."""
    if stamp.min_rtt_s is None:
        return _Queue.MODERATE
    if delay_s > target_s:
        return _Queue.ABOVE_TARGET
    none_below_s = min(least_standing_delay_s(stamp.min_rtt_s), EMPTY_TARGET_SHARE * target_s)
    return _Queue.EMPTY if not stamp.is_app_limited and delay_s < none_below_s else _Queue.MODERATE
