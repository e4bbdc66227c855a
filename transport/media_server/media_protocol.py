"""A client's connection, and the events that belong to its one session."""

from __future__ import annotations

import logging

from aioquic.asyncio.protocol import QuicStreamHandler
from aioquic.h3.connection import ErrorCode
from aioquic.h3.events import (
    DatagramReceived,
    DataReceived,
    H3Event,
    HeadersReceived,
    WebTransportStreamDataReceived,
)
from aioquic.quic.connection import QuicConnection
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
from transport.aioquic_adapter.session_http import SessionHttp
from transport.media_server.media_session import MediaSession
from transport.media_server.rate_limits import RateShare
from transport.media_server.service import Service
from transport.media_server.session_base import Session
from transport.media_server.session_opening import CLOSING_GRACE_S, SessionOpening
from transport.media_server.session_schemes import SessionSchemes
from transport.media_server.session_standing import SessionStanding
from transport.policies import SessionPolicy
from transport.wire_format.capsules import CapsuleError
from transport.wire_format.session_path import CloseCode

logger = logging.getLogger(__name__)


class MediaProtocol(BatchedProtocol):
    """Hands what arrives to the session, or to what opens it, and sends what the session has to say."""

    def __init__(
        self, quic: QuicConnection, stream_handler: QuicStreamHandler | None = None, *, service: Service
    ) -> None:
        self._scheme_rng = service.make_scheme_rng()

        def make_scheme(max_datagram_bytes: int) -> NewReno:
            """The scheme of the handshake."""
            return NewReno(max_datagram_bytes=max_datagram_bytes, rng=self._scheme_rng)

        super().__init__(
            quic,
            stream_handler,
            make_scheme=make_scheme,
            rng=service.make_rng(),
            most_datagram_bytes=service.most_datagram_bytes,
        )
        self._service = service
        self._standing = SessionStanding(self.connection, service.watch_list)
        self.connection.guard.on_forged = self._standing.on_forged
        self.connection.path.on_moved = self._on_moved
        self.most_packets = service.most_packets
        self._opening: SessionOpening | None = None
        """None before the client has agreed to speak HTTP/3."""
        self._session: Session | None = None
        self._share: RateShare | None = None
        """Its session's part of what all may be sent, bytes/s; None where nothing limits rates."""
        self._schemes: SessionSchemes | None = None
        self._policy: SessionPolicy | None = None

    @property
    def is_asked(self) -> bool:
        return self._session is not None and self._session.is_asked

    def write_ahead(self, *, now_s: float) -> None:
        if self._session is not None and self._session.is_open:
            self._session.write_ahead(now_s=now_s)

    def lead_flight(self, *, now_s: float) -> None:
        if self._session is not None and self._session.is_open:
            self._session.lead_flight(now_s=now_s)
            if self._share is not None:
                sent_bytes = self.connection.ledger.bytes_sent_total
                self._share.on_flight(sent_bytes=sent_bytes, is_busy=self._session.is_busy, now_s=now_s)

    def on_flight_sent(self, *, now_s: float) -> None:
        if self._session is not None and self._session.is_open:
            self._session.on_flight_sent()
        if self._policy is not None and self._policy.is_asked:
            self._loop.call_soon(self.run_guarded, self._decide)  # when the other connections' flights have left, too

    def _decide(self) -> None:
        """Answer the scheme's request, and let what changed take effect."""
        session, policy = self._session, self._policy
        answer = None if session is None or not session.is_open or policy is None else policy.answer()
        if answer is not None:
            self.connection.on_decision(*answer, now_s=self._loop.time())
            self.transmit()

    def on_event(self, event: QuicEvent, *, now_s: float) -> None:
        opening = self._opening
        if isinstance(event, DatagramFrameReceived) and opening is not None:  # most events are feedback
            datagram = opening.http.datagram(event.data)
            if datagram is not None:
                self._on_datagram(*datagram, now_s=now_s)
                return
        if isinstance(event, ProtocolNegotiated):
            opening = self._opening = SessionOpening(
                SessionHttp(self.connection.quic), self.connection, self, service=self._service, standing=self._standing
            )
            self.connection.limits.held_by_readers = self._unread_bytes
        elif isinstance(event, HandshakeCompleted):
            self._service.door.on_handshake_done(self)
        elif isinstance(event, StopSendingReceived | StreamReset):
            self._on_stream_cancelled(event.stream_id)
        elif isinstance(event, ConnectionTerminated):
            if opening is not None:
                opening.stop()
            self._forget_session()
            if event.error_code and not self.is_dismissed:  # the door tells how many it sent away
                logger.info("connection ended: %r (0x%x)", event.reason_phrase[:200], event.error_code)
        if opening is not None:
            for http_event in opening.http.handle_event(event):
                self._handle_http(http_event, opening, now_s=now_s)

    def _on_stream_cancelled(self, stream_id: int) -> None:
        session = self._session
        if session is not None and stream_id == session.session_id:
            self._forget_session()  # its own stream (draft-02 section 6)
        elif session is not None:
            session.on_stream_cancelled(stream_id)
        if self._opening is not None:
            self._opening.on_stream_ended(stream_id)

    def _on_datagram(self, session_id: int, data: bytes, *, now_s: float) -> None:
        session = self._session
        if isinstance(session, MediaSession) and session.is_open:
            if session_id == session.session_id:
                session.on_datagram(data, now_s=now_s)
            else:
                session.on_foreign_datagram(now_s=now_s)
            if not session.is_open:
                self._forget_session()

    def _handle_http(self, event: H3Event, opening: SessionOpening, *, now_s: float) -> None:
        if isinstance(event, DatagramReceived):
            self._on_datagram(event.stream_id, event.data, now_s=now_s)
            return
        if isinstance(event, HeadersReceived):
            opening.on_headers(event, now_s=now_s)
            return
        if isinstance(event, DataReceived) and event.stream_ended:
            opening.on_stream_ended(event.stream_id)
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

    def _on_moved(self, host: str) -> None:
        self._standing.on_moved(host, now_s=self._loop.time())

    @property
    def idle_since_s(self) -> float | None:
        """When its session last got on with a request; None before it is open."""
        return None if self._session is None else self._session.moved_s

    def end_idle_session(self) -> None:
        """Ends its session for a newcomer; the client may open another when it needs one."""
        self.run_guarded(self._end_idle_session)

    def _end_idle_session(self) -> None:
        if isinstance(self._session, MediaSession):
            self._session.close(CloseCode.IDLE, "a newcomer needed the place of this idle session")
        self._forget_session()
        self.transmit()

    def begin_session(
        self, session: Session, scheme: Scheme, *, stream_id: int, parameters: dict[str, str] | None = None
    ) -> None:
        """Control congestion by that scheme from now on; the session is open."""
        connection = self.connection
        self._use_scheme(scheme, who=f"session {stream_id}")
        self._session = session
        session.moved_s = self._loop.time()
        self._service.sessions.add(session)
        if connection.qlog is not None:
            connection.qlog.on_scheme(scheme.name, parameters or {})
        if self._service.rates is not None:
            share, loop = self._service.rates.open(), self._loop
            # without a way back to this connection, which would keep it once it has ended
            connection.limit_rate(lambda: share.bytes_per_s(now_s=loop.time()))
            self._share = share
        kind = "session" if isinstance(session, MediaSession) else "plain requests"
        logger.info("%s opened: scheme %s, %s", kind, scheme.name, parameters or "no parameters")

    def _use_scheme(self, scheme: Scheme, *, who: str) -> None:
        schemes = SessionSchemes(
            scheme,
            self.connection,
            rng=self._scheme_rng,
            policies=self._service.policies,
            records=self._service.records,
            who=who,
        )
        schemes.on_path_begin = self._service.on_path_begin
        schemes.on_path_end = self._service.on_path_end
        self.connection.use_scheme(schemes.make, now_s=self._loop.time())
        self._schemes = schemes
        self._policy = schemes.policy
        if schemes.policy is not None:
            self._service.deciding.add(schemes.policy)

    def _forget_session(self) -> None:
        if self._schemes is not None:
            self._schemes.end()
            self._schemes = None
        if self._policy is not None:
            self._service.end_policy(self._policy)
            self._policy = None
        if self._session is not None:
            if self._session in self._service.sessions:  # its end may be told of twice
                self._standing.on_session_ended()
            if self._share is not None:
                self._share.end()
            self._session.forget()
            self._service.sessions.discard(self._session)
            self._service.door.end_session(self)
            self.close_after(CLOSING_GRACE_S)

    def _unread_bytes(self) -> int:
        """What waits for more to come."""
        of_session = 0 if self._session is None else self._session.unread_bytes
        return of_session + (0 if self._opening is None else self._opening.http.unread_bytes)

    def release(self) -> None:
        super().release()
        self._opening = None  # it refers back to this connection
