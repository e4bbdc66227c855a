"""The frames of 1-RTT packets, into an open session of the media server."""

from __future__ import annotations

from itertools import count, cycle

from e2e.fuzzing.live_session import LiveSession
from e2e.fuzzing.memory_server import MemoryServer
from e2e.fuzzing.target import Subject, Target
from e2e.fuzzing.wire_samples import quic_frames

PATHS = ("/v1/nuwa?preset=on-demand", "/v1/cubic", "/v1/bbr3", "/v1/newreno", "/v1/copa", "/v1/gcc")
SESSIONS_EACH_SERVER = 100
PING = b"\x01"
RARELY = 16
"""Of inputs that close the session at once, one in so many does."""
NUMBERS = count()
CHOICES = cycle(PATHS)


class SharedServer:
    """One server for many sessions, as it is in life; another now and then."""

    def __init__(self) -> None:
        self._server: MemoryServer | None = None
        self._sessions = 0

    def session(self) -> LiveSession:
        """A new one, of the next scheme."""
        if self._server is None or self._sessions >= SESSIONS_EACH_SERVER:
            self.close()
            self._server = MemoryServer()
        self._sessions += 1
        return LiveSession(self._server, number=next(NUMBERS), path=next(CHOICES))

    def close(self) -> None:
        """Stop it; the next session has another."""
        if self._server is not None:
            self._server.close()
        self._server = None
        self._sessions = 0


SHARED = SharedServer()


def closes_at_once(payload: bytes) -> bool:
    """CONNECTION_CLOSE, or a datagram of no session: a new session costs a hundred times what a payload does."""
    return payload[:1] in (b"\x1c", b"\x1d", b"\x30") or payload[:2] in (b"1", b"1\x00")


class OpenSession(Subject):
    """Takes payloads until something closes the connection."""

    def __init__(self) -> None:
        self._session = SHARED.session()

    def feed(self, data: bytes) -> bool:
        if closes_at_once(data) and data[-1] % RARELY:
            data = PING + data[1:]
        is_understood = self._session.receive(data)
        self.is_spent = not self._session.is_open
        return is_understood


TARGET = Target(
    "quic-frames",
    "payloads of 1-RTT packets in an open session: every frame of QUIC",
    OpenSession,
    quic_frames,
    inputs_each=2000,
    end=SHARED.close,
)
