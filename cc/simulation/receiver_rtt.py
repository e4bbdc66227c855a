"""The smallest round trip that a receiver has seen, by which Chromium's rule delays its ACKs.

A receiver that only acknowledges asks for few ACKs itself: with the first request, and where it renews a limit or
probes. Each such sample waits for the uplink and in the downlink's queue, and a server takes a while to answer it.
"""

from __future__ import annotations

import math

from cc.simulation.way_back import WayBack

SAMPLE_INTERVAL_S = 2.0
"""Time between packets of the receiver's that ask for an ACK, about; measured with the headless receiver."""
SERVER_ACK_DELAY_S = 0.001  # aioquic's K_GRANULARITY


class ReceiverRtt:
    """Samples round trips of one receiver."""

    __slots__ = ("_min_rtt_s", "_way_back", "sample_due_s")

    def __init__(self, way_back: WayBack) -> None:
        self._way_back = way_back
        self._min_rtt_s = math.inf
        self.sample_due_s = 0.0
        """No packet that arrives earlier shows anything."""

    def fallen_to_s(self, *, entered_s: float, arrival_s: float) -> float | None:
        """The smallest round trip, where this packet's way shows a smaller one; None where it does not."""
        if arrival_s < self.sample_due_s:
            return None
        self.sample_due_s = arrival_s + SAMPLE_INTERVAL_S
        rtt_s = self._way_back.arrival_s(arrival_s) - entered_s + SERVER_ACK_DELAY_S
        if rtt_s >= self._min_rtt_s:
            return None
        self._min_rtt_s = rtt_s
        return rtt_s
