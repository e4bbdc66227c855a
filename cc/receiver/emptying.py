"""Where a queue stands for long, halve the window for a round trip, so that the queue empties for all who share it.

To a flow that came later the queue that stood seems part of the path: its shortest round trip and its reference delay
are too long. It asks for more than its share, and the others, who see the queue as it is, give way. One look at an
empty queue ends that. A flow alone mostly sees its queue empty by itself, and pays nothing.
"""

from __future__ import annotations

from cc.core.receiver_base import Stamp

STANDING_S = 10.0  # without an empty queue
EMPTYING_SHARE = 0.5  # of the window: a queue longer than the shortest round trip would not be empty in one

REFILL_RTTS = 2  # until what is sent anew has come: the queue that is empty until then asks for no growth


class Emptying:
    """The window while the queue is being emptied, and the one to go on from."""

    def __init__(self) -> None:
        self._standing_s = 0.0
        self._until_s: float | None = None
        self._rest_until_s = 0.0
        self._held_packets = 0.0

    @property
    def is_on(self) -> bool:
        """Whether the queue is being emptied or filled again: what is measured now says nothing of the link."""
        return self._until_s is not None

    def stop(self) -> None:
        """Go on from another window."""
        self._until_s = None

    def window_packets(
        self, window_packets: float, stamp: Stamp, *, queue_s: float | None, elapsed_s: float, received_time_s: float
    ) -> float:
        """The window as it is; half of it while the queue is being emptied; then what it was. None: no queue stands."""
        self._standing_s = 0.0 if queue_s is None else self._standing_s + elapsed_s
        if self._until_s is None:
            least_s = stamp.min_rtt_s or 0.0
            if self._standing_s < STANDING_S or (queue_s is not None and queue_s > least_s):
                return window_packets
            self._standing_s = 0.0
            round_trip_s = stamp.smoothed_rtt_s or least_s
            self._until_s = received_time_s + round_trip_s
            self._rest_until_s = self._until_s + REFILL_RTTS * round_trip_s
            self._held_packets = window_packets
        if received_time_s < self._until_s:
            return EMPTYING_SHARE * self._held_packets
        if received_time_s >= self._rest_until_s:
            self._until_s = None
        return self._held_packets
