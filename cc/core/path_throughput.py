"""What a path carries, as a sender sees it: for those that are told of it, not for congestion control."""

from __future__ import annotations

import math

from cc.core.base import AckEvent

TIME_CONSTANT_S = 0.25
"""On generated links 0.1 to 0.5 s erred least: longer ones lag behind the link, shorter ones follow its bursts."""


class PathThroughput:
    """The mean of the newest delivery rates, from times in which the path was full.

    Samples that the application limited say what it sent, not what the path carries
    (draft-cheng-iccrg-delivery-rate-estimation-02 section 3.4): they are left out, and the estimate holds meanwhile.
    """

    def __init__(self) -> None:
        self.bytes_per_s: float | None = None
        """None before the first sample."""
        self._newest_s = -math.inf

    def on_ack(self, event: AckEvent) -> None:
        """Take the event's sample, if it has one that counts."""
        rate = event.delivery_rate
        if rate is None or rate.is_app_limited:
            return
        new_s = min(event.now_s - self._newest_s, rate.interval_s)  # of the sample, what no other has told of
        self._newest_s = event.now_s
        if self.bytes_per_s is None:
            self.bytes_per_s = rate.bytes_per_s
        else:
            self.bytes_per_s += (rate.bytes_per_s - self.bytes_per_s) * -math.expm1(-new_s / TIME_CONSTANT_S)
