"""How often a receiver asks for its window, which each time wakes a sender.

A window answers what was seen a round trip ago: asking more often than a few times in each cannot move it sooner. In
slow start it can, since the sender's window doubles in a round trip and the receiver is the one who ends that.
"""

from __future__ import annotations

from cc.core.base import Phase
from cc.core.receiver_base import Stamp

RTT_SHARE = 1 / 4
"""Share of the round trip without a queue."""
SHORTEST_S = 0.004
LONGEST_S = 0.012


def feedback_interval_s(stamp: Stamp | None) -> float:
    """How long after a feedback the next one may follow; `stamp` is the newest seen."""
    if stamp is None or stamp.phase is Phase.SLOW_START or stamp.min_rtt_s is None:
        return SHORTEST_S
    return min(max(RTT_SHARE * stamp.min_rtt_s, SHORTEST_S), LONGEST_S)
