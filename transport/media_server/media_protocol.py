"""A client's connection: HTTP/3, the opening of its one session, and the events that belong to it."""

from __future__ import annotations

import logging
from collections.abc import Callable

from aioquic.asyncio.protocol import QuicStreamHandler
from aioquic.h3.connection import ErrorCode
from aioquic.h3.events import (
    DatagramReceived,
    DataReceived,
    H3Event,
    HeadersReceived,
    WebTransportStreamDataReceived,
)
from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.quic.events import (
    ConnectionTerminated,
    DatagramFrameReceived,
    HandshakeCompleted,
    ProtocolNegotiated,
    QuicEvent,
    StopSendingReceived,
    StreamReset,
)

from cc.core.scheme import Scheme
from cc.sender.newreno import NewReno
from transport.aioquic_adapter.protocol import BatchedProtocol
from transport.aioquic_adapter.session_http import MAX_FIELD_SECTION_BYTES, SessionHttp, field_section_bytes
from transport.media_server.downloads import Downloads
from transport.media_server.plain_downloads import PlainDownloads
from transport.media_server.rate_limits import RateShare
from transport.media_server.service import Service
from transport.media_server.session import MediaSession
from transport.media_server.session_schemes import SessionSchemes
from transport.media_server.watch_list import Standing
from transport.policies import SessionPolicy
from transport.wire_format.capsules import CapsuleError, encode_close
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


class MediaProtocol(BatchedProtocol):
    """Refuses what is not one session from an allowed origin, and hands the rest to the session."""

    def __init__(
        self, quic: QuicConnection, stream_handler: QuicStreamHandler | None = None, *, service: Service
    ) -> None:
        self._scheme_rng = service.make_scheme_rng()

        def make_scheme(max_datagram_bytes: int) -> NewReno:
            """For the handshake."""
            return NewReno(max_datagram_bytes=max_datagram_bytes, rng=self._scheme_rng)

        super().__init__(
            quic,
            stream_handler,
            make_scheme=make_scheme,
            rng=service.make_rng(),
            most_datagram_bytes=service.most_datagram_bytes,
        )
        self._service = service
        self.connection.guard.on_forged = self._on_forged
        self.connection.path.on_moved = self._on_moved
        self.most_packets = service.most_packets
        self._http: SessionHttp | None = None
        self._session: Downloads | None = None
        self._share: RateShare | None = None
        """None where nothing limits rates."""
        self._schemes: SessionSchemes | None = None
        self._policy: SessionPolicy | None = None
        self._opening: int | None = None
        """The stream of a session that waits for its policy to be loaded."""
        self._judged_address: NetworkAddress | None = None
        """Where the client was when it asked for its session."""

    def on_event(self, event: QuicEvent, *, now_s: float) -> None:
        self._guarded(lambda: self._handle(event, now_s=now_s))

    def _guarded(self, action: Callable[[], None]) -> None:
        """A fault of ours ends this connection, not the server."""
        try:
            action()
        except Exception:
            logger.exception("a connection is closed after an unexpected error")
            self.close_with_error("internal error")

    @property
    def is_asked(self) -> bool:
        return self._session is not None and self._session.is_asked

    def fill_flight(self, *, now_s: float) -> None:
        if self._session is not None and self._session.is_open:
            self._session.fill_flight(now_s=now_s)
            if self._share is not None:
                sent_bytes = self.connection.ledger.bytes_sent_total
                self._share.on_flight(sent_bytes=sent_bytes, is_busy=self._session.is_busy, now_s=now_s)

    def on_flight_sent(self, *, now_s: float) -> None:
        if self._session is not None and self._session.is_open:
            self._session.on_flight_sent()
        if self._policy is not None and self._policy.is_asked:
            self._loop.call_soon(self._guarded, self._decide)  # when the other connections' flights have left, too

    def _decide(self) -> None:
        """Answer the scheme's request, and let what changed take effect."""
        session, policy = self._session, self._policy
        answer = None if session is None or not session.is_open or policy is None else policy.answer()
        if answer is not None:
            self.connection.on_decision(*answer, now_s=self._loop.time())
            self.transmit()

    def _handle(self, event: QuicEvent, *, now_s: float) -> None:
        session = self._session
        if isinstance(event, DatagramFrameReceived) and self._http is not None:  # most events are feedback
            datagram = self._http.datagram(event.data)
            if datagram is not None:
                self._on_datagram(*datagram, now_s=now_s)
                return
        if isinstance(event, ProtocolNegotiated):
            self._http = SessionHttp(self.connection.quic)
            self.connection.limits.held_by_readers = self._unread_bytes
        elif isinstance(event, HandshakeCompleted):
            self._service.door.on_handshake_done(self)
        elif isinstance(event, StopSendingReceived | StreamReset) and session is not None:
            if event.stream_id == session.session_id:
                self._forget_session()  # its own stream (draft-02 section 6)
            else:
                session.on_stream_cancelled(event.stream_id)
        elif isinstance(event, ConnectionTerminated):
            self._stop_opening()
            self._forget_session()
            if event.error_code and not self.is_dismissed:  # the door tells how many it sent away
                logger.info("connection ended: %r (0x%x)", event.reason_phrase[:200], event.error_code)
        if isinstance(event, StopSendingReceived | StreamReset) and event.stream_id == self._opening:
            self._stop_opening()
        if self._http is not None:
            for http_event in self._http.handle_event(event):
                self._handle_http(http_event, now_s=now_s)

    def _on_datagram(self, session_id: int, data: bytes, *, now_s: float) -> None:
        session = self._session
        if isinstance(session, MediaSession) and session.is_open and session_id == session.session_id:
            session.on_datagram(data, now_s=now_s)
            if not session.is_open:
                self._forget_session()

    def _handle_http(self, event: H3Event, *, now_s: float) -> None:
        if isinstance(event, DatagramReceived):
            self._on_datagram(event.stream_id, event.data, now_s=now_s)
            return
        if isinstance(event, HeadersReceived):
            self._on_headers(event, now_s=now_s)
            return
        if isinstance(event, DataReceived) and event.stream_ended and event.stream_id == self._opening:
            self._stop_opening()  # given up before it was open
        session = self._session
        if not isinstance(session, MediaSession) or not session.is_open:
            return
        if isinstance(event, WebTransportStreamDataReceived) and event.session_id == session.session_id:
            session.on_stream_data(event.stream_id, event.data, is_ended=event.stream_ended)
        elif isinstance(event, DataReceived) and event.stream_id == session.session_id:
            try:
                session.on_session_stream_data(event.data, is_ended=event.stream_ended)
            except CapsuleError as error:
                self.close(error_code=ErrorCode.H3_MESSAGE_ERROR, reason_phrase=str(error))
        if not session.is_open:
            self._forget_session()

    def _on_headers(self, event: HeadersReceived, *, now_s: float) -> None:
        if not self.connection.streams.can_write(event.stream_id):
            return  # the client stopped the answer before it asked
        if field_section_bytes(event.headers) > MAX_FIELD_SECTION_BYTES:
            self._respond(event.stream_id, status=431)
            return
        headers = dict(event.headers)
        if headers.get(b":method") == b"GET" and self._service.plain_scheme is not None:
            self._on_get(event, self._service.plain_scheme, now_s=now_s)
        elif headers.get(b":method") == b"CONNECT" and headers.get(b":protocol") in SESSION_PROTOCOLS:
            self._on_connect(event, headers.get(b":path", b""), now_s=now_s)
        else:
            self._respond(event.stream_id, status=404)

    def _on_connect(self, event: HeadersReceived, path_bytes: bytes, *, now_s: float) -> None:
        origins = [value.decode(errors="replace") for name, value in event.headers if name == b"origin"]
        if len(origins) != 1 or origins[0] not in self._service.origins:
            known = sorted(self._service.origins)
            logger.warning("refused a session from origin %s; allowed: %s; --origin URL allows another", origins, known)
            self._respond(event.stream_id, status=403)
            return
        if self._service.self_check.is_own(path_bytes):
            self._respond(event.stream_id, status=200)  # whoever has the sessions' places: it takes none
            return
        if self._session is not None or self._opening is not None:
            self._respond(event.stream_id, status=429)
            return
        try:
            path = self._asked_for(path_bytes.decode(errors="replace"))
        except PathNotFoundError:
            self._respond(event.stream_id, status=404)
        except SessionRefusedError as error:
            self._accept(event.stream_id)
            assert self._http is not None
            self._http.send_data(event.stream_id, encode_close(error.code, str(error)), end_stream=True)
            logger.warning("refused a session: %s", error)
        else:
            if self._service.door.is_too_late:
                self._refuse_late(event.stream_id)
            elif self._is_let_in(now_s=now_s):
                self._open_when_ready(event.stream_id, path, now_s=now_s)
            else:
                self._respond(event.stream_id, status=429)

    def _on_get(self, event: HeadersReceived, scheme: Scheme, *, now_s: float) -> None:
        """The first takes a session's place; a page of another origin has to be allowed, as for a session."""
        origin = next((value for name, value in event.headers if name == b"origin"), None)
        if origin is not None and origin.decode(errors="replace") not in self._service.origins:
            self._respond(event.stream_id, status=403)
            return
        if self._session is None and self._opening is None:
            if self._service.door.is_too_late or not self._is_let_in(is_plain=True, now_s=now_s):
                self._respond(event.stream_id, status=503)
                return
            self._begin(scheme, event.stream_id, now_s=now_s)
            assert self._http is not None
            plain = PlainDownloads(http=self._http, connection=self.connection, content=self._service.content)
            self._hold(plain, scheme, {})
        if isinstance(self._session, PlainDownloads):
            self._session.answer(event.stream_id, event.headers, origin=origin)
        else:
            self._respond(event.stream_id, status=404)

    def _asked_for(self, path: str) -> SessionPath:
        """By its path, with a token where one is needed; raises PathNotFoundError or SessionRefusedError."""
        session_path = parse_session_path(path)
        if self._service.session_key is not None:
            self._service.session_key.require(session_path.token)
        return session_path

    def _refuse_late(self, stream_id: int) -> None:
        """Those who watch already come first."""
        door = self._service.door
        door.count_refused_late()
        late = f"its event loop woke late by up to {1000 * door.lateness_gate.late_s:.0f} ms"
        self._accept(stream_id)
        assert self._http is not None
        reason = f"this server is busy ({late}); try again in some seconds, or another server"
        self._http.send_data(stream_id, encode_close(CloseCode.BUSY, reason), end_stream=True)
        self.close_after(CLOSING_GRACE_S)

    def _is_let_in(self, *, is_plain: bool = False, now_s: float) -> bool:
        """Whether the client gets a session, which takes its place; one of a watched address is watched."""
        service = self._service
        if not service.door.open_session(self, is_plain=is_plain):
            return False
        address = self._judged_address = self.connection.path.proven_address
        standing = Standing.BELIEVED if address is None else service.watch_list.judge(address[0], address[1])
        if standing is Standing.WATCHED:
            self.connection.watch_acks(now_s=now_s)
        elif standing is Standing.REFUSED:
            service.door.end_session(self)
            self.close_after(CLOSING_GRACE_S)  # asking again gains no time
        return standing is not Standing.REFUSED

    def _on_forged(self) -> None:
        for address in self._known_addresses():
            logger.warning("%s acknowledged what was never sent: its address is watched", address[0])
            self._service.watch_list.on_forged(address[0], address[1])

    def _on_moved(self, host: str) -> None:
        """Another path begins no better than another session would."""
        if self._session is not None and self._service.watch_list.is_watched(host):
            self.connection.watch_acks(now_s=self._loop.time())

    @property
    def idle_since_s(self) -> float | None:
        """When its session last got on with a request; None before it is open."""
        return None if self._session is None else self._session.moved_s

    def end_idle_session(self) -> None:
        """Ends its session for a newcomer; the client may open another when it needs one."""
        self._guarded(self._end_idle_session)

    def _end_idle_session(self) -> None:
        if isinstance(self._session, MediaSession):
            self._session.close(CloseCode.IDLE, "a newcomer needed the place of this idle session")
        self._forget_session()
        self.transmit()

    def _open_when_ready(self, stream_id: int, path: SessionPath, *, now_s: float) -> None:
        """A session's first decisions are its policy's, too: a policy's first session waits until that is loaded."""
        policy = path.scheme.sender_policy
        if policy is None or self._service.policies.is_settled(policy):
            self._open_session(stream_id, path, now_s=now_s)
            return
        self._opening = stream_id
        self._service.policies.when_settled(policy, lambda: self._guarded(lambda: self._open_after_waiting(path)))

    def _open_after_waiting(self, path: SessionPath) -> None:
        """Unless its client has given up."""
        stream_id, self._opening = self._opening, None
        if stream_id is not None:
            self._open_session(stream_id, path, now_s=self._loop.time())
            self.transmit()

    def _stop_opening(self) -> None:
        if self._opening is not None:
            self._opening = None
            self._service.door.end_session(self)

    def _open_session(self, stream_id: int, path: SessionPath, *, now_s: float) -> None:
        self._accept(stream_id)
        assert self._http is not None
        self._begin(path.scheme, stream_id, now_s=now_s)
        session = MediaSession(
            session_id=stream_id, path=path, http=self._http, connection=self.connection, content=self._service.content
        )
        self._hold(session, path.scheme, path.parameters)

    def _begin(self, scheme: Scheme, stream_id: int, *, now_s: float) -> None:
        """Under that scheme from now on."""
        connection = self.connection
        schemes = SessionSchemes(
            scheme,
            connection,
            rng=self._scheme_rng,
            policies=self._service.policies,
            records=self._service.records,
            who=f"session {stream_id}",
        )
        schemes.on_path_end = self._service.on_path_end
        connection.use_scheme(schemes.make, now_s=now_s)
        self._schemes = schemes
        self._policy = schemes.policy
        if schemes.policy is not None:
            self._service.deciding.add(schemes.policy)

    def _hold(self, session: Downloads, scheme: Scheme, parameters: dict[str, str]) -> None:
        """It is open."""
        connection = self.connection
        self._session = session
        session.moved_s = self._loop.time()
        if self._judged_address is not None and connection.path.peer_host not in (None, self._judged_address[0]):
            self._on_moved(str(connection.path.peer_host))  # while its policy was loaded
        self._service.sessions.add(session)
        if connection.qlog is not None:
            connection.qlog.on_scheme(scheme.name, parameters)
        if (
            self._service.rates is not None
        ):  # without a way back to this connection, which would keep it once it has ended
            share, loop = self._service.rates.open(), self._loop
            connection.limit_rate(lambda: share.bytes_per_s(now_s=loop.time()))
            self._share = share
        kind = "session" if isinstance(session, MediaSession) else "plain requests"
        logger.info("%s opened: scheme %s, %s", kind, scheme.name, parameters or "no parameters")

    def _forget_session(self) -> None:
        if self._schemes is not None:
            self._schemes.end_path()
            self._schemes = None
        if self._policy is not None:
            self._service.end_policy(self._policy)
            self._policy = None
        if self._session is not None:
            self._note_what_was_shown()
            if self._share is not None:
                self._share.end()
            self._session.forget()
            self._service.sessions.discard(self._session)
            self._service.door.end_session(self)
            self.close_after(CLOSING_GRACE_S)

    def _note_what_was_shown(self) -> None:
        """At the session's end, which may be told of twice."""
        if self._session not in self._service.sessions:
            return
        packets_sent, survived = self.connection.ledger.packets_sent_total, self.connection.guard.withheld.survived
        for address in self._known_addresses():
            self._service.watch_list.on_session_ended(address[0], packets_sent=packets_sent, survived=survived)

    def _known_addresses(self) -> list[NetworkAddress]:
        """Where the client was let in, and where it has gone since: it answers for both."""
        addresses = (self._judged_address, self.connection.path.proven_address)
        return [address for address in dict.fromkeys(addresses) if address is not None]

    def _unread_bytes(self) -> int:
        """What waits for more to come."""
        of_session = 0 if self._session is None else self._session.unread_bytes
        return of_session + (0 if self._http is None else self._http.unread_bytes)

    def _accept(self, stream_id: int) -> None:
        assert self._http is not None
        self._http.send_headers(stream_id, [(b":status", b"200"), DRAFT_HEADER])

    def _respond(self, stream_id: int, *, status: int) -> None:
        assert self._http is not None
        self._http.send_headers(stream_id, [(b":status", str(status).encode())], end_stream=True)
