"""How fast sessions may be sent to, whatever schemes and receivers say: each one, and all of them together."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from transport.media_server.max_min import fair_level

BYTES_PER_S_OF_MBIT = 125_000
BUSY_FOR_S = 1.0  # a session counts as busy between two requests, or shares would swing
NEW_FOR_S = 1.0  # nothing is known yet of what it uses: slow start takes so long on long paths
LOOK_INTERVAL_S = 0.25
GROWTH = 2.0
"""Until the next look no session is expected to use more than that times what it used."""
HALF_LIFE_S = 1.0
"""After which what a busy session used counts half: it has its rate back at once after a pause of `BUSY_FOR_S`."""
LEAST_BYTES_PER_S = 12_500.0
"""What each may use without having shown that it does."""


@dataclass(frozen=True)
class RateLimits:
    """Limits in Mbit/s of UDP payload; None is no limit."""

    session_mbit: float | None = None
    total_mbit: float | None = None

    @property
    def any(self) -> bool:
        """Whether there is one at all."""
        return self.session_mbit is not None or self.total_mbit is not None


NO_LIMITS = RateLimits()


@dataclass(frozen=True, slots=True)
class RateDemand:
    """What the sessions of a process want of a limit for all."""

    eager: int = 0
    """Sessions that get less than they want."""
    modest: int = 0
    """The others."""
    modest_mbit: float = 0.0
    """What these want, all together."""


NO_DEMAND = RateDemand()


class RateShare:
    """What one session may be sent."""

    def __init__(self, shares: RateShares) -> None:
        self._shares = shares
        self.used_bytes_per_s = 0.0
        self.most_bytes_per_s = math.inf
        """What it may be paced at since shares were last counted."""
        self.busy_at_s = -math.inf
        """When it last had something to send."""
        self._new_until_s: float | None = None
        self._sent_bytes = 0
        self._looked_at_s = 0.0
        self._looked_at_bytes = 0

    def on_flight(self, *, sent_bytes: int, is_busy: bool, now_s: float) -> None:
        """A flight leaves next; `sent_bytes` is what has left before, of UDP payload, since the connection began."""
        self._sent_bytes = sent_bytes
        if is_busy:
            if self._new_until_s is None:
                self._new_until_s = now_s + NEW_FOR_S
            self._shares.on_busy(self, now_s=now_s)

    def begin(self, now_s: float) -> None:
        """It is busy after a pause, which says nothing of what it uses."""
        self._looked_at_s, self._looked_at_bytes = now_s, self._sent_bytes

    def look(self, now_s: float) -> None:
        """Learn what it used."""
        elapsed_s = now_s - self._looked_at_s
        if elapsed_s < LOOK_INTERVAL_S / 2:
            return  # a flight of one moment tells no rate
        used = (self._sent_bytes - self._looked_at_bytes) / elapsed_s
        self.used_bytes_per_s = max(used, self.used_bytes_per_s * 0.5 ** (elapsed_s / HALF_LIFE_S))
        self.begin(now_s)

    def wanted_bytes_per_s(self, now_s: float) -> float:
        """Infinity as long as it is new."""
        if self._new_until_s is None or now_s < self._new_until_s:
            return math.inf
        return max(LEAST_BYTES_PER_S, GROWTH * self.used_bytes_per_s)

    def bytes_per_s(self, *, now_s: float) -> float | None:
        """What it may be paced at; None for no limit."""
        return self._shares.bytes_per_s(self, now_s=now_s)

    def end(self) -> None:
        """It needs no share any more."""
        self._shares.on_ended(self)


class RateShares:
    """What each session of a server may be paced at: its own limit, and a share of the total by what it uses.

    Shares of busy sessions are max-min fair, and make up the total together: what is left when each has what it wants
    is shared alike. So a session that only trickles keeps nothing from the others. Where one more becomes busy, their
    shares shrink with their next ACK, so that the sum passes the total for a round trip.
    """

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        self._busy: dict[RateShare, None] = {}
        """The one that was busy last at the end."""
        self._looked_at_s = -math.inf
        self._is_counted = True
        """Whether shares are those of the busy sessions, under the limits in force."""
        self._demand = RateDemand()

    def open(self) -> RateShare:
        """The share of another session."""
        return RateShare(self)

    def set_total(self, mbit: float) -> None:
        """All sessions of this process together have this much from the next ACK on."""
        self._limits = replace(self._limits, total_mbit=mbit)
        self._is_counted = False

    def on_busy(self, share: RateShare, *, now_s: float) -> None:
        """It has something to send."""
        if share in self._busy:
            del self._busy[share]
        else:
            share.begin(now_s)
            self._is_counted = False
        self._busy[share] = None
        share.busy_at_s = now_s

    def on_ended(self, share: RateShare) -> None:
        """It needs no share any more."""
        if share in self._busy:
            del self._busy[share]
            self._is_counted = False

    def demand(self, *, now_s: float) -> RateDemand:
        """What sessions want of the total."""
        self._count(now_s)
        return self._demand

    def bytes_per_s(self, share: RateShare, *, now_s: float) -> float | None:
        """The limit of one; None for no limit."""
        self._count(now_s)
        own, total = self._session_bytes_per_s, self._limits.total_mbit
        if total is None:
            return None if own == math.inf else own
        if share in self._busy:
            return min(own, share.most_bytes_per_s)
        return min(own, total * BYTES_PER_S_OF_MBIT / (len(self._busy) + 1))

    @property
    def _session_bytes_per_s(self) -> float:
        mbit = self._limits.session_mbit
        return math.inf if mbit is None else mbit * BYTES_PER_S_OF_MBIT

    def _count(self, now_s: float) -> None:
        total_mbit = self._limits.total_mbit
        if total_mbit is None or (self._is_counted and now_s < self._looked_at_s + LOOK_INTERVAL_S):
            return
        self._forget_idle(now_s=now_s)
        if now_s >= self._looked_at_s + LOOK_INTERVAL_S:
            self._looked_at_s = now_s
            for share in self._busy:
                share.look(now_s)
        self._is_counted = True
        wanted = {share: min(self._session_bytes_per_s, share.wanted_bytes_per_s(now_s)) for share in self._busy}
        self._demand = _share_out(wanted, total_mbit * BYTES_PER_S_OF_MBIT)

    def _forget_idle(self, *, now_s: float) -> None:
        while self._busy:
            share = next(iter(self._busy))
            if share.busy_at_s >= now_s - BUSY_FOR_S:
                return
            del self._busy[share]


def _share_out(wanted: dict[RateShare, float], total_bytes_per_s: float) -> RateDemand:
    level = fair_level(wanted.values(), total=total_bytes_per_s)
    modest = [each for each in wanted.values() if each <= level]
    modest_bytes_per_s = sum(modest)
    for share, each in wanted.items():
        share.most_bytes_per_s = min(each, level)
    if wanted and level == math.inf:
        spare = (total_bytes_per_s - modest_bytes_per_s) / len(wanted)
        for share in wanted:
            share.most_bytes_per_s += spare
    return RateDemand(len(wanted) - len(modest), len(modest), modest_bytes_per_s / BYTES_PER_S_OF_MBIT)
