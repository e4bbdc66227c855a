"""Whose acknowledgements are believed: who forged some gets no session for a while, and its address is watched.

Others may stand behind the same address, behind a NAT for instance. Their open sessions go on. New ones are let in, a
few each second, under watch: with many withheld packets and a window that grows by those that survive
(`aioquic_adapter/withheld.py`).

A session that ended before one withheld packet survived has shown nothing. The next one of its address begins under
watch, too, or a client could always be gone before it is found.

Two such addresses of one household in IPv6 (`household_of`) put all of it under watch: it can come from another each
time.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from transport.media_server.admission.buckets import AddressBuckets
from transport.media_server.admission.prefixes import household_of, prefix_of

FORGER_S = 600.0
UNPROVEN_S = 30.0
UNPROVEN_PACKETS = 64  # a session that was sent fewer has drawn next to nothing
SESSIONS_PER_S = 2.0  # of one watched address in the long run
SESSIONS_BURST = 8
MOST_KEPT = 10_000  # of some hundred bytes each; the oldest go first


class Standing(enum.Enum):
    """How far a client that asks for a session is believed."""

    BELIEVED = "believed"
    WATCHED = "watched"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class WatchNews:
    """Something about a client that every process of a server should know."""

    host: str
    port: int | None
    """The port of a client that forged; None where a session from that host has shown nothing."""


class WatchList:
    """The addresses under watch, of one process."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self.on_news: Callable[[WatchNews], None] = lambda news: None
        """Told what was found here, not what was learned from others."""
        self._forgers = _Until()
        self._watched = _Until()
        self._newest_of_household: dict[str, tuple[str, float]] = {}
        """Its newest prefix that came under watch, and until when."""
        self._sessions = AddressBuckets(per_s=SESSIONS_PER_S, burst=SESSIONS_BURST)

    def __len__(self) -> int:
        return len(self._forgers) + len(self._watched)

    def on_forged(self, host: str, port: int) -> None:
        """The client there acknowledged what was never sent."""
        self._find(WatchNews(host, port))

    def on_session_ended(self, host: str, *, packets_sent: int, survived: int) -> None:
        """`survived`: withheld packets that the client left unacknowledged."""
        if survived == 0 and packets_sent > UNPROVEN_PACKETS:
            self._find(WatchNews(host, None))

    def learn(self, news: WatchNews) -> None:
        """What another process has found."""
        now_s, prefix = self._now_s(), prefix_of(news.host)
        until_s = now_s + (UNPROVEN_S if news.port is None else FORGER_S)
        self._watched.set(prefix, until_s)
        self._learn_of_household(household_of(prefix), prefix, now_s=now_s, until_s=until_s)
        if news.port is not None:
            self._forgers.set((news.host, news.port), until_s)

    def _learn_of_household(self, household: str, prefix: str, *, now_s: float, until_s: float) -> None:
        if household == prefix:
            return
        before, watched_until_s = self._newest_of_household.pop(household, (prefix, now_s))
        self._newest_of_household[household] = (prefix, until_s)
        if before != prefix and now_s < watched_until_s:
            self._watched.set(household, min(until_s, watched_until_s))
        if len(self._newest_of_household) > MOST_KEPT:
            del self._newest_of_household[next(iter(self._newest_of_household))]

    def is_watched(self, host: str) -> bool:
        """Whether what a client there acknowledges has to be shown to be true."""
        prefix, now_s = prefix_of(host), self._now_s()
        return self._watched.holds(prefix, now_s=now_s) or self._watched.holds(household_of(prefix), now_s=now_s)

    def _find(self, news: WatchNews) -> None:
        self.learn(news)
        self.on_news(news)

    def judge(self, host: str, port: int) -> Standing:
        """The standing of a client there that asks for a session; one that is let in under watch is counted."""
        now_s = self._now_s()
        prefix = prefix_of(host)
        if self._forgers.holds((host, port), now_s=now_s):
            return Standing.REFUSED
        if not self.is_watched(host):
            return Standing.BELIEVED
        return Standing.WATCHED if self._sessions.take(prefix, now_s=now_s) else Standing.REFUSED


class _Until:
    """What is so until a time."""

    def __init__(self) -> None:
        self._until_s: dict[object, float] = {}

    def __len__(self) -> int:
        return len(self._until_s)

    def set(self, key: object, until_s: float) -> None:
        """It is never so for less than was said before."""
        until_s = max(until_s, self._until_s.pop(key, until_s))
        self._until_s[key] = until_s
        if len(self._until_s) > MOST_KEPT:
            del self._until_s[next(iter(self._until_s))]

    def holds(self, key: object, *, now_s: float) -> bool:
        return now_s < self._until_s.get(key, 0.0)
