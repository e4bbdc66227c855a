"""What mm-link has of the queue disciplines, with the parameters of cc/links/queueing in ms; it has no defaults."""

from __future__ import annotations

from collections.abc import Mapping

MAHIMAHI_DISCIPLINES: Mapping[str, tuple[str, ...]] = {
    "droptail": (),
    "codel": ("target=5", "interval=100"),
    "pie": ("qdelay_ref=15", "max_burst=150"),
}
"""Its CoDel sends the packet that the RFC drops and drops the next one instead; its PIE estimates the delay by the
departure rate.
"""
