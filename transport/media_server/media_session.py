"""One client's WebTransport session: requests in, segments and stamps out, feedback to the scheme."""

from __future__ import annotations

import logging

from transport.aioquic_adapter.connection import ControlledConnection
from transport.aioquic_adapter.session_http import SessionHttp
from transport.media_server.content import ServedFolder, UnknownContentError
from transport.media_server.datagram_limits import (
    FLOOD_PER_S,
    FLOOD_SECONDS,
    MALFORMED_LIMIT,
    MALFORMED_WINDOW_S,
    DatagramLimits,
)
from transport.media_server.responses import Response
from transport.media_server.session_base import MAX_OPEN_REQUESTS, Session
from transport.wire_format.capsules import CapsuleReader, encode_close
from transport.wire_format.requests import (
    MAX_REQUEST_LINE_BYTES,
    MalformedRequestError,
    SegmentRequest,
    parse_request,
    response_head,
)
from transport.wire_format.session_path import CloseCode, SessionPath
from transport.wire_format.stream_codes import StreamCode, webtransport_code
from transport.wire_format.wire import (
    MalformedDatagramError,
    decode_feedback,
    decode_ping,
    encode_pong,
    encode_stamp,
    is_ping,
)

UNIDIRECTIONAL = 0x2  # bit of a stream's id (RFC 9000 section 2.1)

logger = logging.getLogger(__name__)


class MediaSession(Session):
    """What a session does, apart from the event loop: time comes in as an argument."""

    def __init__(
        self,
        *,
        session_id: int,
        path: SessionPath,
        http: SessionHttp,
        connection: ControlledConnection,
        content: ServedFolder,
    ) -> None:
        super().__init__(who=f"session {session_id}", http=http, connection=connection)
        self._session_id = session_id
        self.path = path
        self._content = content
        self._request_lines: dict[int, bytes] = {}
        self._ignored_streams: set[int] = set()
        """Answered before the client ended its side; at most as many as it may open."""
        self._unanswered_ping: int | None = None
        self._limits = DatagramLimits()
        self._capsules = CapsuleReader()

    @property
    def session_id(self) -> int:
        """Its stream."""
        return self._session_id

    def http3_code(self, code: StreamCode) -> int:
        return webtransport_code(code)

    # what arrives

    def on_stream_data(self, stream_id: int, data: bytes, *, is_ended: bool) -> None:
        """Part of a request line, or all of it."""
        if stream_id in self._ignored_streams:
            if is_ended:
                self._ignored_streams.discard(stream_id)
            return
        if stream_id & UNIDIRECTIONAL:
            self._connection.quic.stop_stream(stream_id, self.http3_code(StreamCode.REQUEST_CANCELLED))
            self._ignore(stream_id, is_ended=is_ended)
            return
        if not self._connection.streams.can_write(stream_id):  # cancelled in the packets that brought it, or before
            self._request_lines.pop(stream_id, None)
            self._ignore(stream_id, is_ended=is_ended)
            return
        line = self._request_lines.get(stream_id, b"") + data
        if len(line) <= MAX_REQUEST_LINE_BYTES and not is_ended:
            if stream_id not in self._request_lines and len(self._request_lines) >= MAX_OPEN_REQUESTS:
                self._refuse(stream_id, status=400, reason=f"at most {MAX_OPEN_REQUESTS} requests may be open")
                self._ignore(stream_id, is_ended=is_ended)
                return
            self._request_lines[stream_id] = line
            return
        self._request_lines.pop(stream_id, None)
        self._ignore(stream_id, is_ended=is_ended)
        try:
            self._answer(stream_id, parse_request(line))
        except MalformedRequestError as error:
            self._refuse(stream_id, status=400, reason=str(error))
        except UnknownContentError as error:
            self._refuse(stream_id, status=404, reason=str(error))
        except OSError as error:  # a file that may not be read, or none left to open
            logger.error("session %d: stream %d: %s", self.session_id, stream_id, error)
            self._reset(stream_id, StreamCode.SERVER_FAULT)

    def on_stream_cancelled(self, stream_id: int) -> None:
        """The client no longer wants this stream's bytes."""
        is_unfinished = self._request_lines.pop(stream_id, None) is not None
        self._ignored_streams.discard(stream_id)
        if is_unfinished:
            self._reset(stream_id, StreamCode.REQUEST_CANCELLED)
        else:
            super().on_stream_cancelled(stream_id)

    def on_datagram(self, data: bytes, *, now_s: float) -> None:
        """Feedback, a ping, or something that is counted and dropped."""
        if self._is_flooded(now_s=now_s):
            return
        try:
            if is_ping(data):
                self._unanswered_ping = decode_ping(data)
                return
            feedback = decode_feedback(data)
        except MalformedDatagramError as error:
            logger.debug("session %d: %s", self.session_id, error)
            if self._limits.is_abuse(now_s=now_s):
                limit = f"more than {MALFORMED_LIMIT} malformed datagrams within {MALFORMED_WINDOW_S:g} s"
                self.close(CloseCode.MALFORMED_DATAGRAMS, f"{limit}: {error}")
            return
        self.queueing_delay_s = feedback.queueing_delay_s
        self._connection.on_feedback(feedback, now_s=now_s)

    def on_foreign_datagram(self, *, now_s: float) -> None:
        """One for a session that is not there."""
        self._is_flooded(now_s=now_s)

    def _is_flooded(self, *, now_s: float) -> bool:
        """Count a datagram; too many end the session."""
        is_flood = self._limits.is_flood(now_s=now_s)
        if is_flood:
            self.close(
                CloseCode.TOO_MANY_DATAGRAMS, f"more than {FLOOD_PER_S} datagrams a second for {FLOOD_SECONDS} s"
            )
        return is_flood

    def on_session_stream_data(self, data: bytes, *, is_ended: bool) -> None:
        """Capsules, or the end of the session; raises CapsuleError."""
        if self._capsules.feed(data) is not None or is_ended:
            self._end()

    @property
    def unread_bytes(self) -> int:
        """What has arrived of requests that are not whole."""
        return sum(len(line) for line in self._request_lines.values())

    # what leaves

    @property
    def is_asked(self) -> bool:
        """Whether the client waits for the answer to a ping."""
        return self._unanswered_ping is not None

    def lead_flight(self, *, now_s: float) -> None:
        """A stamp, and the answer to a ping."""
        if self._connection.may_send(now_s=now_s):
            if self.ready_bytes > 0:
                self._stamp_flight(now_s=now_s)
        elif self._unanswered_ping is None or not self._connection.let_probe_leave(now_s=now_s):
            return  # a datagram that cannot leave now is dropped: a pong waits here
        if self._unanswered_ping is not None:
            self._http.send_datagram(self.session_id, encode_pong(self._unanswered_ping))
            self._unanswered_ping = None

    def _stamp_flight(self, *, now_s: float) -> None:
        stamp = self._connection.stamp_if_due(now_s=now_s)
        if stamp is not None:
            self._http.send_datagram(self.session_id, encode_stamp(stamp))

    def close(self, code: CloseCode, reason: str) -> None:
        """End the session and tell the client why."""
        self._end(encode_close(code, reason))

    def _end(self, last_word: bytes = b"") -> None:
        if self.is_open:
            if self._connection.streams.can_write(self.session_id):
                self._http.send_data(self.session_id, last_word, end_stream=True)
            self.forget()

    def forget(self) -> None:
        """Let go of everything: the session, or its connection, is over."""
        if self.is_open and self._limits.malformed_total:
            logger.warning("session %d: %d malformed datagrams dropped", self.session_id, self._limits.malformed_total)
        super().forget()
        self._ignored_streams.clear()
        self._request_lines.clear()

    def _answer(self, stream_id: int, request: SegmentRequest) -> None:
        if len(self._responses) >= MAX_OPEN_REQUESTS:
            raise MalformedRequestError(f"at most {MAX_OPEN_REQUESTS} requests may be open")
        content = self._content.open(request.path)
        total_bytes = content.length_bytes
        first, last = request.byte_range or (0, total_bytes - 1)
        last = min(last, total_bytes - 1)
        if first > last and request.byte_range is not None:
            content.close()
            self._refuse(stream_id, status=416, reason=f"byte {first} is outside the file's {total_bytes}")
            return
        head = response_head(
            status=200 if request.byte_range is None else 206,
            length_bytes=last + 1 - first,
            total_bytes=total_bytes,
            content_type=content.content_type,
        )
        self._write(stream_id, head, is_last=False)
        self._responses.add(
            Response(stream_id=stream_id, priority=request.priority, content=content, offset=first, end_offset=last + 1)
        )

    def _refuse(self, stream_id: int, *, status: int, reason: str) -> None:
        self._write(stream_id, response_head(status=status, length_bytes=0, reason=reason), is_last=True)

    def _ignore(self, stream_id: int, *, is_ended: bool) -> None:
        if not is_ended:
            self._ignored_streams.add(stream_id)
