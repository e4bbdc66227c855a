"""What an emulated link has where nobody says otherwise; transport's relay alone delays and drops nothing unasked."""

from __future__ import annotations

from cc.links.limits import LINK_DEFAULTS

DELAY_MS = LINK_DEFAULTS.delay_ms
"""Each way."""
QUEUE_PACKETS = LINK_DEFAULTS.queue_packets
"""At 24 Mbit/s 0.15 s."""
PACKET_BYTES = 1200
"""Full packets, UDP payload; emulated media servers are held to it, so that all places count the same packets."""
DEEP_QUEUE_PACKETS = 1000
"""Of films and fronts: as cellular links have it, where a scheme that fills its queue pays with seconds of delay."""
