"""What a path carries, as a sender sees it: for those that are told of it, not for congestion control."""

from __future__ import annotations

import math

from cc.core.base import AckEvent, RttState

TIME_CONSTANT_S = 0.25
"""The estimate forgets in this time. On generated links 0.1 to 0.5 s erred least: longer ones lag, shorter ones follow
bursts."""
LEAST_WAIT_S, MOST_WAIT_S, WAIT_DIVISOR = 0.004, 0.016, 8
"""Excess over the minimum RTT at which packets wait, s: the thresholds of RFC 9406 section 4.3."""


class PathThroughput:
    """The mean of the newest delivery rates, from times in which the path was full.

    It is full where packets wait in its queue. Before that a rate says what the window let through, as in slow start,
    and the path carries that at least. What the application limited is left out
    (draft-cheng-iccrg-delivery-rate-estimation-02 section 3.4). The estimate holds meanwhile.
    """

    def __init__(self) -> None:
        self.bytes_per_s: float | None = None
        """None before the path was full for the first time."""
        self._newest_s = -math.inf

    def on_ack(self, event: AckEvent) -> None:
        """Take the event's sample, if it has one that counts."""
        rate, before = event.delivery_rate, self.bytes_per_s
        if rate is None or rate.is_app_limited:
            return
        if not _is_full(event.rtt) and (before is None or rate.bytes_per_s < before):
            return
        new_s = min(event.now_s - self._newest_s, rate.interval_s)  # of the sample, what no other has told of
        self._newest_s = event.now_s
        if before is None:
            self.bytes_per_s = rate.bytes_per_s
        else:
            self.bytes_per_s = before + (rate.bytes_per_s - before) * -math.expm1(-new_s / TIME_CONSTANT_S)


def _is_full(rtt: RttState | None) -> bool:
    if rtt is None:
        return False
    return rtt.latest_s >= rtt.min_s + min(max(rtt.min_s / WAIT_DIVISOR, LEAST_WAIT_S), MOST_WAIT_S)
