"""What a client asks for over HTTP/3 before it has its one session, and how that opens."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from aioquic.h3.events import HeadersReceived

from cc.core.scheme import Scheme
from transport.aioquic_adapter.connection import ControlledConnection
from transport.aioquic_adapter.session_http import MAX_FIELD_SECTION_BYTES, SessionHttp, field_section_bytes
from transport.media_server.door import Visitor
from transport.media_server.media_session import MediaSession
from transport.media_server.offered_schemes import require_offered
from transport.media_server.plain_session import PlainSession
from transport.media_server.service import Refusal, Service
from transport.media_server.session_base import Session
from transport.media_server.session_standing import SessionStanding
from transport.media_server.watch_list import Standing
from transport.wire_format.capsules import encode_close
from transport.wire_format.plain_requests import ALLOW, RETRY_AFTER, Field, preflight_fields, response_fields
from transport.wire_format.session_path import (
    CloseCode,
    PathNotFoundError,
    SessionPath,
    SessionRefusedError,
    parse_session_path,
)

SESSION_PROTOCOLS = (b"webtransport", b"webtransport-h3")  # the second since draft-15
DRAFT_HEADER = (b"sec-webtransport-http3-draft", b"draft02")
CLOSING_GRACE_S = 1.0  # for the close capsule to arrive before its connection ends

logger = logging.getLogger(__name__)


class SessionHolder(Visitor, Protocol):
    """The connection that a session is opened on."""

    def begin_session(
        self, session: Session, scheme: Scheme, *, stream_id: int, parameters: dict[str, str] | None = None
    ) -> None:
        """Control congestion by that scheme from now on; the session is open."""

    def run_guarded(self, action: Callable[..., None], *args: object) -> None:
        """Do it; a fault of ours ends this connection, not the server."""

    def transmit(self) -> None:
        """Send what may leave."""

    def close_after(self, delay_s: float) -> None:
        """End the connection a little later."""


class SessionOpening:
    """Refuses what is not one session from an allowed origin, and opens that; answers plain GETs where they may come.

    There is one as soon as the client has agreed to speak HTTP/3.
    """

    def __init__(
        self,
        http: SessionHttp,
        connection: ControlledConnection,
        holder: SessionHolder,
        *,
        service: Service,
        standing: SessionStanding,
    ) -> None:
        self.http = http
        self._connection = connection
        self._holder = holder
        self._service = service
        self._standing = standing
        self._session: Session | None = None
        self._waiting: int | None = None
        """The stream of a session that waits for its policy to be loaded."""

    def on_headers(self, event: HeadersReceived, *, now_s: float) -> None:
        """A request."""
        if not self._connection.streams.can_write(event.stream_id):
            return  # the client stopped the answer before it asked
        if field_section_bytes(event.headers) > MAX_FIELD_SECTION_BYTES:
            self._respond(event.stream_id, status=431)
            return
        headers = dict(event.headers)
        method = headers.get(b":method", b"")
        if method == b"CONNECT" and headers.get(b":protocol") in SESSION_PROTOCOLS:
            self._on_connect(event, headers.get(b":path", b""), now_s=now_s)
        elif method != b"CONNECT" and self._service.plain_scheme is not None:
            self._on_plain(event, method, self._service.plain_scheme, now_s=now_s)
        else:
            self._respond(event.stream_id, status=404)

    def on_stream_ended(self, stream_id: int) -> None:
        """The client has ended, or given up, this stream, which may be that of a session that is not open yet."""
        if stream_id == self._waiting:
            self.stop()

    def stop(self) -> None:
        """Open no session for the client that waits for one, if it does."""
        if self._waiting is not None:
            self._waiting = None
            self._service.door.end_session(self._holder)

    def _on_connect(self, event: HeadersReceived, path_bytes: bytes, *, now_s: float) -> None:
        origins = [value.decode(errors="replace") for name, value in event.headers if name == b"origin"]
        if len(origins) != 1 or origins[0] not in self._service.origins:
            known = sorted(self._service.origins)
            logger.warning("refused a session from origin %s; allowed: %s; --origin URL allows another", origins, known)
            self._service.refusals[Refusal.ORIGIN] += 1
            self._respond(event.stream_id, status=403)
            return
        if event.stream_ended:  # the session would have no end any more
            self._respond(event.stream_id, status=400)
            return
        if self._service.self_check.is_own(path_bytes):
            self._respond(event.stream_id, status=200)  # whoever has the sessions' places: it takes none
            return
        if self._has_begun:
            self._respond(event.stream_id, status=429)
            return
        try:
            path = self._asked_for(path_bytes.decode(errors="replace"))
        except PathNotFoundError:
            self._service.refusals[Refusal.PATH] += 1
            self._respond(event.stream_id, status=404)
        except SessionRefusedError as error:
            is_token = error.code is CloseCode.TOKEN_REFUSED
            self._service.refusals[Refusal.TOKEN if is_token else Refusal.PATH] += 1
            self._accept(event.stream_id)
            self.http.send_data(event.stream_id, encode_close(error.code, str(error)), end_stream=True)
            logger.warning("refused a session: %s", error)
        else:
            if self._is_too_late():
                self._refuse_late(event.stream_id)
            elif self._is_let_in(now_s=now_s):
                self._open_when_ready(event.stream_id, path)
            else:
                self._respond(event.stream_id, status=429)

    def _on_plain(self, event: HeadersReceived, method: bytes, scheme: Scheme, *, now_s: float) -> None:
        """A page of another origin has to be allowed, as for a session."""
        origin = next((value for name, value in event.headers if name == b"origin"), None)
        if origin is not None and origin.decode(errors="replace") not in self._service.origins:
            self._service.refusals[Refusal.ORIGIN] += 1
            self._respond(event.stream_id, status=403)
        elif method == b"OPTIONS":
            self.http.send_headers(event.stream_id, preflight_fields(origin, unix_s=time.time()), end_stream=True)
        elif method not in (b"GET", b"HEAD"):
            self._refuse_plain(event.stream_id, status=405, origin=origin, more=ALLOW)
        else:
            self._on_get(event, scheme, origin=origin, now_s=now_s)

    def _on_get(self, event: HeadersReceived, scheme: Scheme, *, origin: bytes | None, now_s: float) -> None:
        """The first takes a session's place."""
        if not self._has_begun:
            if self._is_too_late() or not self._is_let_in(is_plain=True, now_s=now_s):
                self._refuse_plain(event.stream_id, status=503, origin=origin, more=RETRY_AFTER)
                return
            plain = PlainSession(http=self.http, connection=self._connection, content=self._service.content)
            self._session = plain
            self._holder.begin_session(plain, scheme, stream_id=event.stream_id)
        if not isinstance(self._session, PlainSession):
            self._refuse_plain(event.stream_id, status=404, origin=origin)
        elif self._session.is_open:
            self._session.answer(event.stream_id, event.headers, origin=origin)
        else:  # it idled, and a newcomer has its place
            self._refuse_plain(event.stream_id, status=503, origin=origin, more=RETRY_AFTER)

    @property
    def _has_begun(self) -> bool:
        """Whether the connection has had its session, or one waits to be open."""
        return self._session is not None or self._waiting is not None

    def _asked_for(self, path: str) -> SessionPath:
        """By its path: with a token where one is needed, under a scheme that is offered.

        Raises PathNotFoundError or SessionRefusedError.
        """
        session_path = parse_session_path(path)
        if self._service.session_key is not None:
            self._service.session_key.require(session_path.token)
        require_offered(session_path.scheme, self._service.schemes)
        return session_path

    def _is_too_late(self) -> bool:
        is_too_late = self._service.door.is_too_late
        self._service.refusals[Refusal.LATE] += is_too_late
        return is_too_late

    def _refuse_late(self, stream_id: int) -> None:
        """Those who watch already come first."""
        door = self._service.door
        door.count_refused_late()
        late = f"its event loop woke late by up to {1000 * door.lateness_gate.late_s:.0f} ms"
        self._accept(stream_id)
        reason = f"this server is busy ({late}); try again in some seconds, or another server"
        self.http.send_data(stream_id, encode_close(CloseCode.BUSY, reason), end_stream=True)
        self._holder.close_after(CLOSING_GRACE_S)

    def _is_let_in(self, *, is_plain: bool = False, now_s: float) -> bool:
        """Whether the client gets a session, which takes its place."""
        door = self._service.door
        if not door.open_session(self._holder, is_plain=is_plain):
            self._service.refusals[Refusal.PLACES] += 1
            return False
        if self._standing.judge(now_s=now_s) is not Standing.REFUSED:
            return True
        self._service.refusals[Refusal.WATCHED] += 1
        door.end_session(self._holder)
        self._holder.close_after(CLOSING_GRACE_S)  # asking again gains no time
        return False

    def _open_when_ready(self, stream_id: int, path: SessionPath) -> None:
        """A session's first decisions are its policy's, too: a policy's first session waits until that is loaded."""
        policy = path.scheme.sender_policy
        if policy is None or self._service.policies.is_settled(policy):
            self._open(stream_id, path)
            return
        self._waiting = stream_id
        run_guarded = self._holder.run_guarded
        self._service.policies.when_settled(policy, lambda: run_guarded(lambda: self._open_after_waiting(path)))

    def _open_after_waiting(self, path: SessionPath) -> None:
        """Unless its client has given up."""
        stream_id, self._waiting = self._waiting, None
        if stream_id is not None:
            self._open(stream_id, path)
            self._holder.transmit()

    def _open(self, stream_id: int, path: SessionPath) -> None:
        self._accept(stream_id)
        self._session = MediaSession(
            session_id=stream_id, path=path, http=self.http, connection=self._connection, content=self._service.content
        )
        self._holder.begin_session(self._session, path.scheme, stream_id=stream_id, parameters=path.parameters)

    def _accept(self, stream_id: int) -> None:
        self.http.send_headers(stream_id, [(b":status", b"200"), DRAFT_HEADER])

    def _respond(self, stream_id: int, *, status: int) -> None:
        self.http.send_headers(stream_id, [(b":status", str(status).encode())], end_stream=True)

    def _refuse_plain(self, stream_id: int, *, status: int, origin: bytes | None, more: Sequence[Field] = ()) -> None:
        fields = [*response_fields(status=status, length_bytes=0, origin=origin, unix_s=time.time()), *more]
        self.http.send_headers(stream_id, fields, end_stream=True)
