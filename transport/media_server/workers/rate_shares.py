"""What each worker may send in all, so that together they send no more than one limit."""

from __future__ import annotations

from collections.abc import Sequence

from transport.media_server.rate_limits import RateDemand


def shares_mbit(total_mbit: float, demands: Sequence[RateDemand]) -> list[float]:
    """Max-min fair for their sessions: the modest ones get what they want, the eager ones share the rest alike.

    A worker without an eager one gets what its first would have: the sum passes the total by that until the next report
    tells of the session.
    """
    wanted_mbit = sum(each.modest_mbit for each in demands)
    eager = sum(each.eager for each in demands)
    sharing = max(1, eager)
    left_mbit = max(total_mbit - wanted_mbit, total_mbit * sharing / (sharing + sum(each.modest for each in demands)))
    modest_ratio = (total_mbit - left_mbit) / wanted_mbit if wanted_mbit else 1.0
    return [
        each.modest_mbit * modest_ratio + left_mbit * (each.eager or 1) / (eager + (each.eager == 0))
        for each in demands
    ]
