"""When a packet leaves beyond a window that has no room, so that what was lost is seen."""

from __future__ import annotations

from cc.core.base import RttState

INTERVAL_S = 0.25
"""One packet each: no more than 48 kbit/s beyond any window."""


class BlockedProbe:
    """Of one sender, to be asked with each ACK.

    A window that has fallen far below what is in flight lets nothing leave, so that nothing later is acknowledged and
    losses at the end of the flight stay unseen; and the queue that made it fall draws the PTO, with its four variances,
    out to seconds. So one packet may leave after two round trips, as TCP's tail loss probe (RFC 8985 section 7): as
    they were smoothed when the last one left.
    """

    def __init__(self) -> None:
        self._last_sent_s: float | None = None
        self._smoothed_rtt_s = 0.0

    def is_due(self, *, has_room: bool, last_sent_s: float, rtt: RttState | None, now_s: float) -> bool:
        """Whether one may leave now. `last_sent_s`: when a packet left that is to be acknowledged."""
        if last_sent_s != self._last_sent_s:
            self._last_sent_s = last_sent_s
            self._smoothed_rtt_s = 0.0 if rtt is None else rtt.smoothed_s
        return not has_room and now_s >= last_sent_s + max(INTERVAL_S, 2 * self._smoothed_rtt_s)
