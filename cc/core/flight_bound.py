"""The most that any scheme may have in flight: its first window, and four times what was delivered in a round trip.

A scheme may be wrong, or be led astray by what its receiver says. This bound rests on neither. It leaves room for the
fastest honest start of a scheme that goes by round trips (BBR's: 2.89 times what one delivered) and for ACKs that
come in bursts. Hybla goes by 25 ms, and from 58 ms on its first slow start meets the bound. Simulations have none.

An idle sender keeps what it had: old values leave only when newer ones come.
"""

from __future__ import annotations

from cc.core.base import AckEvent
from cc.core.guard import PROOF_LIFETIME_S
from cc.core.windowed_filter import WindowedMaximum

DELIVERED_FACTOR = 4


class FlightBound:
    """The bound on one path's flight."""

    def __init__(self, first_window_bytes: int) -> None:
        self.bytes = first_window_bytes
        """What may be in flight."""
        self._first_window_bytes = first_window_bytes
        self._delivered_bytes = WindowedMaximum(PROOF_LIFETIME_S)
        """The most in one round trip, that between a packet's sending and its ACK."""

    def on_ack(self, event: AckEvent) -> None:
        """Every ACK must be told, in order."""
        round_trip_bytes = event.delivered_bytes - event.acked[-1].delivered_bytes
        best_bytes = self._delivered_bytes.update(round_trip_bytes, at=event.now_s)
        self.bytes = self._first_window_bytes + int(DELIVERED_FACTOR * best_bytes)
