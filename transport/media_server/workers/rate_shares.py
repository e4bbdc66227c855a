"""What each worker may send in all, so that together they send no more than one limit."""

from __future__ import annotations

from collections.abc import Sequence


def shares_mbit(total_mbit: float, busy: Sequence[int]) -> list[float]:
    """By the busy sessions of each; an idle worker gets what its first session would.

    The sum passes the total by that until the next report tells of the session.
    """
    sessions = sum(busy)
    return [total_mbit * (each or 1) / (sessions + (each == 0)) for each in busy]
