"""How fast sessions may be sent to, whatever schemes and receivers say: each one, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass, replace

BYTES_PER_S_OF_MBIT = 125_000
BUSY_FOR_S = 1.0  # a session counts as busy between two requests, or shares would swing


@dataclass(frozen=True)
class RateLimits:
    """In Mbit/s of UDP payload; None is no limit."""

    session_mbit: float | None = None
    total_mbit: float | None = None

    @property
    def any(self) -> bool:
        """Whether there is one at all."""
        return self.session_mbit is not None or self.total_mbit is not None


NO_LIMITS = RateLimits()


class RateShares:
    """What each session of a server may be paced at: its own limit, and the same share of the total as all busy ones.

    What a slow session leaves of its share is nobody's. Where one more becomes busy, the others' shares shrink with
    their next ACK, so that the sum passes the total for a round trip.
    """

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        self._busy_at_s: dict[object, float] = {}
        """When each was last busy, the latest at the end."""

    def set_total(self, mbit: float) -> None:
        """All sessions of this process together have this much from the next ACK on."""
        self._limits = replace(self._limits, total_mbit=mbit)

    def on_busy(self, session: object, *, now_s: float) -> None:
        """It has something to send."""
        self._busy_at_s.pop(session, None)
        self._busy_at_s[session] = now_s

    def on_ended(self, session: object) -> None:
        """It needs no share any more."""
        self._busy_at_s.pop(session, None)

    def busy(self, *, now_s: float) -> int:
        """Sessions among which the total is shared."""
        self._forget_idle(now_s=now_s)
        return len(self._busy_at_s)

    def bytes_per_s(self, *, now_s: float) -> float | None:
        """The limit of one that is busy; None for no limit."""
        limits = []
        if self._limits.session_mbit is not None:
            limits.append(self._limits.session_mbit * BYTES_PER_S_OF_MBIT)
        if self._limits.total_mbit is not None:
            limits.append(self._limits.total_mbit * BYTES_PER_S_OF_MBIT / max(1, self.busy(now_s=now_s)))
        return min(limits, default=None)

    def _forget_idle(self, *, now_s: float) -> None:
        busy_at_s = self._busy_at_s
        while busy_at_s:
            session = next(iter(busy_at_s))
            if busy_at_s[session] >= now_s - BUSY_FOR_S:
                return
            del busy_at_s[session]
