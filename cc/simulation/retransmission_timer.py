"""TCP's retransmission timer (RFC 6298) with Linux's floor of 200 ms above the RTT; without RACK-TLP and F-RTO."""

from __future__ import annotations

import math

from cc.core.base import RttState

LEAST_TIMEOUT_S = 0.2  # Linux's TCP_RTO_MIN, which bounds K * RTTVAR alone; RFC 6298 section 2.4 has a second for all
FIRST_TIMEOUT_S = 1.0  # section 2.1
LONGEST_TIMEOUT_S = 60.0  # section 2.5


class RetransmissionTimer:
    """Runs while something is in flight, and begins again whenever new packets are acknowledged (section 5)."""

    __slots__ = ("_backoff", "due_s", "timeouts")

    def __init__(self) -> None:
        self.due_s = math.inf
        """When all in flight is lost; infinite while the timer does not run."""
        self.timeouts = 0
        self._backoff = 1.0

    def on_sent(self, now_s: float, rtt: RttState | None) -> None:
        """Section 5.1: it starts where it does not run."""
        if self.due_s == math.inf:
            self._start(now_s, rtt)

    def on_ack(self, now_s: float, rtt: RttState | None, *, is_in_flight: bool) -> None:
        """Sections 5.2 and 5.3: new packets were acknowledged."""
        self._backoff = 1.0
        if is_in_flight:
            self._start(now_s, rtt)
        else:
            self.due_s = math.inf

    def on_timeout(self) -> None:
        """Section 5.5: the next one is twice as late."""
        self.timeouts += 1
        self._backoff *= 2
        self.due_s = math.inf

    def _start(self, now_s: float, rtt: RttState | None) -> None:
        self.due_s = now_s + min(timeout_s(rtt) * self._backoff, LONGEST_TIMEOUT_S)


def timeout_s(rtt: RttState | None) -> float:
    """Section 2, without backoff."""
    if rtt is None:
        return FIRST_TIMEOUT_S
    return rtt.smoothed_s + max(LEAST_TIMEOUT_S, 4 * rtt.variance_s)
