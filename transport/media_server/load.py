"""How much a server has to do: what decides where the next session goes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Load:
    """Of one process."""

    sessions: int = 0
    busy: int = 0
    """Sessions among which a rate limit for all is shared; 0 without one."""
    lateness_s: float = 0.0
    """How late the event loop woke, the 99th percentile of a second."""
