"""What an emulated link has where nobody says otherwise; transport's relay alone delays and drops nothing unasked."""

from __future__ import annotations

DELAY_MS = 20
"""Each way."""
QUEUE_PACKETS = 300
"""At 24 Mbit/s 0.15 s."""
PACKET_BYTES = 1200
"""Full packets, UDP payload; emulated media servers are held to it, so that all places count the same packets."""
DEEP_QUEUE_PACKETS = 1000
"""Of films and fronts: as cellular links have it, where a scheme that fills its queue pays with seconds of delay."""
