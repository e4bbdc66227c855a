"""The open responses of one connection: what of them is written to it, how far ahead, and when they are given up."""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod

from transport.aioquic_adapter.connection import ControlledConnection
from transport.aioquic_adapter.session_http import SessionHttp
from transport.media_server.responses import Response, ResponseQueue
from transport.wire_format.stream_codes import StreamCode

PIECE_S = 0.020  # what is written at a time, and ahead of what has been sent: an urgent request waits for so much
LEAST_PIECE_BYTES = 8 * 1024  # the same where the path is slow: more than a flight
MOST_PIECE_BYTES = 32 * 1024  # from 13 Mbit/s on
BACKLOG_S = 0.005  # written ahead on fast paths: more than one turn of the event loop
MAX_BACKLOG_BYTES = 256 * 1024  # 400 Mbit/s for that time, more than the process sends
MAX_OPEN_REQUESTS = 16  # a player asks for two or three segments at a time
PROGRESS_BYTES = 64 * 1024
"""Of responses, for a session to have got on: speech is as much in 30 s, and no place is held for less."""

logger = logging.getLogger(__name__)


class Session(ABC):
    """One client's, over WebTransport or by plain requests. Apart from the event loop."""

    queueing_delay_s: float | None = None
    """As the last feedback told it; None where there is none."""

    def __init__(self, *, who: str, http: SessionHttp, connection: ControlledConnection) -> None:
        """`who`: for the log, as in `session 4`."""
        self.is_open = True
        self._who = who
        self._http = http
        self._connection = connection
        self._responses = ResponseQueue()
        self._written_bytes: dict[int, int] = {}
        self.moved_s = math.inf
        """When its responses last had got on, by `PROGRESS_BYTES`; infinity before it is open."""
        self._moved_bytes = 0
        """What had been sent by then."""
        self.ready_bytes = 0
        """What may leave by the client's credit, as of the last writing ahead."""

    @property
    def session_id(self) -> int | None:
        """The stream of the WebTransport session; None where there is none."""
        return None

    @abstractmethod
    def http3_code(self, code: StreamCode) -> int:
        """As its client knows it."""

    @property
    def unread_bytes(self) -> int:
        """What has arrived of requests that are not whole."""
        return 0

    @property
    def is_asked(self) -> bool:
        """Whether the client waits for a sign of life."""
        return False

    @property
    def is_busy(self) -> bool:
        """Whether something is to be sent, or was a moment ago."""
        return bool(self._responses) or bool(self._written_bytes)

    def plausible_queueing_delay_s(self) -> float | None:
        """As the receiver tells it; None where it does not, or tells of more than the sender's own round trips."""
        told_s, rtt = self.queueing_delay_s, self._connection.rtt
        is_plausible = told_s is not None and rtt is not None and told_s <= rtt.smoothed_s + 4 * rtt.variance_s
        return told_s if is_plausible else None

    def on_stream_cancelled(self, stream_id: int) -> None:
        """The client no longer wants this stream's bytes."""
        is_open = self._responses.cancel(stream_id)
        is_written = self._written_bytes.pop(stream_id, None) is not None
        if is_open or is_written:
            self._reset(stream_id, StreamCode.REQUEST_CANCELLED)
        else:
            self._connection.limits.forget_response(stream_id)

    def write_ahead(self, *, now_s: float) -> None:
        """Write what may leave soon to the connection, the most urgent that the client takes.

        A response that the client has stopped reading holds back no other: those after it are written.
        """
        self._note_progress(now_s=now_s)
        waiting_bytes, credit_bytes = self._waiting_bytes(), self._connection.streams.credit_bytes
        piece_bytes, wanted_bytes = self._amounts(now_s=now_s)
        while waiting_bytes < wanted_bytes:
            writable = self._next_writable(most_bytes=credit_bytes - waiting_bytes)
            if writable is None:
                break
            response, room_bytes = writable
            waiting_bytes += self._write_piece(response, most_bytes=min(room_bytes, piece_bytes))
        self.ready_bytes = min(waiting_bytes, credit_bytes)

    def lead_flight(self, *, now_s: float) -> None:
        """Queue what the client's receiver is told with the flight that leaves now: nothing, where it has none."""

    def on_flight_sent(self) -> None:
        """Say so where the window would have carried more than there was, or than the client's credit let leave."""
        if self._connection.has_window_room and not self._has_more_to_send():
            self._connection.ledger.mark_app_limited()

    def forget(self) -> None:
        """Let go of everything: it, or its connection, is over."""
        self.is_open = False
        self._responses.clear()
        self._written_bytes.clear()

    def _write(self, stream_id: int, data: bytes, *, is_last: bool) -> None:
        self._connection.streams.write(stream_id, data, is_last=is_last)
        self._written_bytes[stream_id] = self._written_bytes.get(stream_id, 0) + len(data)
        if is_last:
            self._http.finish_sending(stream_id)

    def _reset(self, stream_id: int, code: StreamCode) -> None:
        self._connection.streams.reset(stream_id, self.http3_code(code))
        self._http.finish_sending(stream_id)

    def _note_progress(self, *, now_s: float) -> None:
        sent_bytes = self._connection.streams.sent_bytes
        if sent_bytes - self._moved_bytes >= PROGRESS_BYTES:
            self.moved_s, self._moved_bytes = now_s, sent_bytes

    def _amounts(self, *, now_s: float) -> tuple[int, float]:
        """How many bytes are written at a time, and how many ahead."""
        rtt = self._connection.rtt
        if rtt is None or not self._responses:
            return MOST_PIECE_BYTES, MOST_PIECE_BYTES
        rate_bytes_per_s = self._connection.scheme.cwnd_bytes / rtt.smoothed_s
        piece_bytes = int(max(LEAST_PIECE_BYTES, min(PIECE_S * rate_bytes_per_s, MOST_PIECE_BYTES)))
        ahead_bytes = max(BACKLOG_S * rate_bytes_per_s, self._connection.sendable_bytes(now_s=now_s), piece_bytes)
        return piece_bytes, min(ahead_bytes, MAX_BACKLOG_BYTES)

    def _next_writable(self, *, most_bytes: int) -> tuple[Response, int] | None:
        """The most urgent response of which the client takes more, and how much; None where there is none."""
        streams = self._connection.streams
        for response in self._responses.in_order():
            stream_id = response.stream_id
            room_bytes = min(most_bytes, streams.limit_offset(stream_id) - self._written_bytes.get(stream_id, 0))
            if room_bytes > 0 or response.left_bytes == 0:
                return response, room_bytes
        return None

    def _write_piece(self, response: Response, *, most_bytes: int) -> int:
        try:
            data, is_last = self._responses.next_piece(response, most_bytes=most_bytes)
        except (OSError, EOFError) as error:
            logger.error("%s: stream %d: %s", self._who, response.stream_id, error)
            self._responses.cancel(response.stream_id)
            self._reset(response.stream_id, StreamCode.SERVER_FAULT)
            return 0
        self._write(response.stream_id, data, is_last=is_last)
        return len(data)

    def _waiting_bytes(self) -> int:
        """Of what was written, what has not been sent and may be, by the client's limit for each stream."""
        streams = self._connection.streams
        waiting_bytes = 0
        for stream_id, written_bytes in list(self._written_bytes.items()):
            sent_bytes = streams.highest_sent_offset(stream_id)
            if sent_bytes is not None and sent_bytes < written_bytes:
                waiting_bytes += max(0, min(written_bytes, streams.limit_offset(stream_id)) - sent_bytes)
            elif stream_id not in self._responses:
                del self._written_bytes[stream_id]
        return waiting_bytes

    def _has_more_to_send(self) -> bool:
        """Whether the client's credit lets anything leave that has not been sent."""
        waiting_bytes, credit_bytes = self._waiting_bytes(), self._connection.streams.credit_bytes
        if min(waiting_bytes, credit_bytes) > 0:
            return True
        return self._next_writable(most_bytes=credit_bytes - waiting_bytes) is not None
