"""How much a sender sends at a time.

A waking costs about as much as the packets that it sends. But what a pacer would spread, and leaves together, waits in
the path's queue. So a turn's length is a share of the queue that stands already: none on an empty path, and always
little beside what is there.
"""

from __future__ import annotations

from cc.core.base import RttState
from cc.core.pacer import BURST_PACKETS_MIN

QUEUE_SHARE = 1 / 8
PATH_SHARE = 1 / 8
"""Of the round trip without a queue, for the two packets that a pacer lets go together in any case."""
LONGEST_TURN_S = 0.010


def turn_bytes(*, rate_bytes_per_s: float, packet_bytes: int, rtt: RttState) -> float:
    """What is worth a waking: whole packets, one at least."""
    pair_bytes = BURST_PACKETS_MIN * packet_bytes
    least_bytes = pair_bytes if pair_bytes <= rate_bytes_per_s * PATH_SHARE * rtt.min_s else packet_bytes
    turn_s = min(QUEUE_SHARE * (rtt.smoothed_s - rtt.min_s), LONGEST_TURN_S)
    return max(least_bytes, rate_bytes_per_s * turn_s // packet_bytes * packet_bytes)
