"""The numbers of admission; `transport/README.md` has them in a table."""

from __future__ import annotations

from dataclasses import dataclass, replace

from transport.media_server.admission.prefixes import PREFIXES_A_HOUSEHOLD


@dataclass(frozen=True)
class RoomLimits:
    """How many connections may be at one stage."""

    total: int
    per_prefix: int

    @property
    def per_household(self) -> int:
        """Of a /56 of IPv6, from which one household may come by 256 prefixes."""
        return PREFIXES_A_HOUSEHOLD * self.per_prefix


@dataclass(frozen=True)
class AdmissionLimits:
    """What a server takes on. A stage holds as many as there are sessions: all viewers may return at once."""

    handshake_s: float = 5.0
    """From the first Initial to the end of the handshake."""
    session_s: float = 5.0
    """From there to a session."""
    half_open: RoomLimits = RoomLimits(total=256, per_prefix=64)
    """Handshakes under way."""
    without_session: RoomLimits = RoomLimits(total=256, per_prefix=64)
    """Handshakes done, no session yet, or none any more."""
    sessions: RoomLimits = RoomLimits(total=256, per_prefix=64)
    """64 viewers behind one address; the same for a /64 of IPv6."""
    session_idle_s: float = 30.0
    """Without a request that gets on: then a session leaves for a newcomer that finds no place."""
    plain: RoomLimits = RoomLimits(total=64, per_prefix=16)
    """Of the sessions' places, those that plain GETs may take: they prove less, and leave room for sessions."""
    half_open_before_retry: int = 32
    """With so many half-open ones newcomers have to show that they own their address. Each costs some 2 ms of CPU."""
    unproven_per_s: float = 16.0
    """Newcomers taken at their word in the long run; beyond it they are asked for a token, too."""
    unproven_burst: int = 32
    proven_per_s_and_prefix: float = 32.0
    """Handshakes of one address that is proven: each costs milliseconds of the event loop."""
    proven_burst_per_prefix: int = 64
    refused_late_s: float = 0.05
    """Half of the event loop's wakings later than this, for `lateness_settles_s`, and there are no more sessions beside
    those that there are."""
    admitted_late_s: float = 0.025
    """Below this, for as long, there are again."""
    lateness_settles_s: float = 3.0
    resets_per_s: float = 256.0
    """Stateless resets and words about broken tokens."""
    resets_burst: int = 256

    def with_sessions_per_prefix(self, count: int) -> AdmissionLimits:
        """As many newcomers at once as there may be sessions: all viewers may return together."""
        half_open, without_session, sessions = (
            replace(room, per_prefix=count) for room in (self.half_open, self.without_session, self.sessions)
        )
        plain_per_prefix = max(1, count * self.plain.per_prefix // self.sessions.per_prefix)
        return replace(
            self,
            half_open=half_open,
            without_session=without_session,
            sessions=sessions,
            plain=replace(self.plain, per_prefix=plain_per_prefix),
            proven_per_s_and_prefix=count * self.proven_per_s_and_prefix / self.sessions.per_prefix,
            proven_burst_per_prefix=count,
        )


DEFAULT_LIMITS = AdmissionLimits()
