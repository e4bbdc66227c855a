"""The most that a policy's action may make of a window: three times what the last round trip delivered.

A window that obeys a policy alone may be anything, above all on links unlike those it learned on; what lies above this
ceiling would only be lost. A window that stands above it already may stay, and fall.
"""

from __future__ import annotations

from cc.core.base import AckEvent
from cc.core.window import initial_window_bytes

FACTOR = 3.0


class DeliveredCeiling:
    """The ceiling of one sender."""

    def __init__(self, max_datagram_bytes: int) -> None:
        self._least_bytes = initial_window_bytes(max_datagram_bytes)
        self._round_trip_bytes = 0
        """What was delivered between a packet's sending and its ACK, of late."""
        self._is_app_limited = False

    def on_ack(self, event: AckEvent) -> None:
        """Call before the decision that follows from the event."""
        self._is_app_limited = event.is_app_limited
        newest = event.acked[-1]
        if event.now_s > newest.sent_time_s:
            self._round_trip_bytes = event.delivered_bytes - newest.delivered_bytes

    def bounded(self, wanted_bytes: float, *, window_bytes: float) -> float:
        """What may become of the window where the policy wants `wanted_bytes`.

        It does not rise while the application leaves it unused, either (RFC 9002 section 7.8).
        """
        if wanted_bytes <= window_bytes:
            return wanted_bytes
        if self._is_app_limited:
            return window_bytes
        ceiling_bytes = max(FACTOR * self._round_trip_bytes, self._least_bytes)
        return max(window_bytes, min(wanted_bytes, ceiling_bytes))
