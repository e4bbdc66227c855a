"""Who may come in, and who has to go."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from cc.core.token_bucket import TokenBucket
from transport.aioquic_adapter.verdict import Verdict
from transport.media_server.admission.buckets import AddressBuckets
from transport.media_server.admission.limits import AdmissionLimits
from transport.media_server.admission.room import Connection, Room


class Reason(enum.Enum):
    """Why a connection has to go; sent to its peer."""

    SLOW_HANDSHAKE = "the handshake took too long"
    NO_SESSION = "no session was opened in time"
    ROOM_NEEDED = "a newcomer needed the place"


@dataclass(frozen=True)
class Departure(Generic[Connection]):
    """A connection that has to go."""

    connection: Connection
    reason: Reason


class Admission(Generic[Connection]):
    """Every living connection is in one room: half-open, without a session, or in a session.

    A newcomer with a proven address is never refused because of those who only wait: the oldest of them leaves, and
    its place is free at once.
    """

    def __init__(self, limits: AdmissionLimits) -> None:
        self._limits = limits
        self._half_open: Room[Connection] = Room(limits.half_open)
        self._without_session: Room[Connection] = Room(limits.without_session)
        self._sessions: Room[Connection] = Room(limits.sessions)
        self._plain: Room[Connection] = Room(limits.plain)
        self._unproven = TokenBucket(per_s=limits.unproven_per_s, burst=limits.unproven_burst)
        self._proven = AddressBuckets(per_s=limits.proven_per_s_and_prefix, burst=limits.proven_burst_per_prefix)

    @property
    def connections(self) -> int:
        """At whatever stage."""
        return self.half_open + self.without_session + self.sessions

    @property
    def half_open(self) -> int:
        """Handshakes under way."""
        return len(self._half_open)

    @property
    def without_session(self) -> int:
        """Handshakes done, no session."""
        return len(self._without_session)

    @property
    def sessions(self) -> int:
        """Connections with a session, or served plain GETs."""
        return len(self._sessions)

    @property
    def plain(self) -> int:
        """Those of them that are served plain GETs."""
        return len(self._plain)

    def judge(self, prefix: str, *, is_proven: bool, now_s: float) -> Verdict:
        """What to do with a newcomer; `is_proven` where it brings a token that only its address can have got."""
        if is_proven:
            return Verdict.ACCEPT if self._proven.take(prefix, now_s=now_s) else Verdict.DROP
        if self.half_open >= self._limits.half_open_before_retry or not self._unproven.take(now_s=now_s):
            return Verdict.RETRY
        # a source that may be forged must not push out anybody
        return Verdict.ACCEPT if self._half_open.has_place_for(prefix) else Verdict.RETRY

    def admit(self, connection: Connection, prefix: str, *, now_s: float) -> Departure[Connection] | None:
        """A newcomer that was accepted has a connection; who leaves for it."""
        return self._enter(self._half_open, connection, prefix, now_s=now_s)

    def on_handshake_done(self, connection: Connection, *, now_s: float) -> Departure[Connection] | None:
        """The peer has shown that it is there and has the keys; who leaves for it."""
        prefix = self._half_open.leave(connection)
        if prefix is None:
            return None
        return self._enter(self._without_session, connection, prefix, now_s=now_s)

    def idle_one_for(
        self,
        connection: Connection,
        *,
        is_plain: bool = False,
        idle_since_s: Callable[[Connection], float | None],
        now_s: float,
    ) -> Connection | None:
        """Whose session has to end for this newcomer's; None where there is a place, or nobody idles.

        The longest idle, of the newcomer's own address or household where that has its share, else of that with most.
        `idle_since_s`: None for one that does not idle.
        """
        prefix = self._without_session.prefix_of(connection)
        rooms = (self._plain, self._sessions) if is_plain else (self._sessions,)
        full = [] if prefix is None else [room for room in rooms if not room.has_place_for(prefix)]
        if prefix is None or not full:
            return None
        idle = []
        for other in full[0]:
            since_s, of = idle_since_s(other), full[0].prefix_of(other)
            if since_s is None or now_s - since_s < self._limits.session_idle_s:
                continue
            if of is not None and all(room.makes_place(of, newcomer=prefix) for room in full):
                idle.append((-self._sessions.count_of_household(of), since_s, other))
        return min(idle, key=lambda each: each[:2], default=(0, 0.0, None))[2]

    def open_session(self, connection: Connection, *, is_plain: bool = False, now_s: float) -> bool:
        """Take a session's place, where one is granted; plain GETs get no more than their share of them."""
        prefix = self._without_session.prefix_of(connection)
        if prefix is None or not self._sessions.has_place_for(prefix):
            return False
        if is_plain:
            if not self._plain.has_place_for(prefix):
                return False
            self._plain.enter(connection, prefix, now_s=now_s)
        self._without_session.leave(connection)
        self._sessions.enter(connection, prefix, now_s=now_s)
        return True

    def end_session(self, connection: Connection, *, now_s: float) -> Departure[Connection] | None:
        """The session is over, its connection not yet; who leaves for it."""
        prefix = self._sessions.leave(connection)
        if prefix is None:
            return None
        self._plain.leave(connection)
        return self._enter(self._without_session, connection, prefix, now_s=now_s)

    def leave(self, connection: Connection) -> None:
        """The connection is gone."""
        for room in (self._half_open, self._without_session, self._sessions, self._plain):
            room.leave(connection)

    def overdue(self, *, now_s: float) -> list[Departure[Connection]]:
        """Whose time is over; they keep their places until `leave`."""
        slow = self._half_open.overdue(self._limits.handshake_s, now_s=now_s)
        idle = self._without_session.overdue(self._limits.session_s, now_s=now_s)
        return [Departure(connection, Reason.SLOW_HANDSHAKE) for connection in slow] + [
            Departure(connection, Reason.NO_SESSION) for connection in idle
        ]

    def next_deadline_s(self) -> float | None:
        """When to ask `overdue` again; None while nobody waits."""
        deadlines_s = (
            self._half_open.next_deadline_s(self._limits.handshake_s),
            self._without_session.next_deadline_s(self._limits.session_s),
        )
        return min((deadline_s for deadline_s in deadlines_s if deadline_s is not None), default=None)

    def _enter(
        self, room: Room[Connection], connection: Connection, prefix: str, *, now_s: float
    ) -> Departure[Connection] | None:
        leaving = room.who_leaves_for(prefix)
        if leaving is not None:
            room.leave(leaving)
        room.enter(connection, prefix, now_s=now_s)
        return None if leaving is None else Departure(leaving, Reason.ROOM_NEEDED)
