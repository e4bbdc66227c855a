"""How much a server has to do: what decides where the next session goes."""

from __future__ import annotations

from dataclasses import dataclass

from transport.media_server.rate_limits import NO_DEMAND, RateDemand


@dataclass(frozen=True, slots=True)
class Load:
    """Of one process."""

    sessions: int = 0
    lateness_s: float = 0.0
    """How late the event loop woke, the 99th percentile of a second."""
    demand: RateDemand = NO_DEMAND
    """What its sessions want of a rate limit for all; nothing without one."""
