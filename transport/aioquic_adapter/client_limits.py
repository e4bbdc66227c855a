"""What a server may make the headless receiver keep: a window ahead of what was read, gaps, and frames not whole."""

from __future__ import annotations

from aioquic.h3.connection import ErrorCode, H3Connection
from aioquic.h3.events import H3Event
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import QuicEvent, StreamDataReceived, StreamReset
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStream

from transport.aioquic_adapter.peer_limits import refuse_gaps

MAX_UNREAD_FRAME_BYTES = 64 * 1024
"""Of all HTTP/3 frames that have to be whole, such as SETTINGS: the media server's have some hundred."""
MAX_SERVER_STREAMS = 8
"""HTTP/3 has three, all unidirectional; no server opens others."""
MAX_GAPS = 2048
"""Of a stream; each takes a hundred bytes. As many packets as a media server has in flight leave half of that."""


def hold_window(quic: QuicConnection, window_bytes: int) -> None:
    """Let no more than this come ahead of what was read, of a stream and of all, in a connection that has not begun.

    Nor may there be more streams of the server's, or gaps, than honest ones need.

    aioquic doubles its windows, whatever comes. What is missing before the last byte is kept as zeros: 4 GiB after
    nine packets (RFC 9000 section 21.7).
    """
    ClientWindow(quic, window_bytes)
    quic._local_max_streams_bidi.value = quic._local_max_streams_bidi.sent = 0
    quic._local_max_streams_uni.value = quic._local_max_streams_uni.sent = MAX_SERVER_STREAMS
    refuse_gaps(quic, MAX_GAPS)


class ClientWindow:
    """The credit that one client gives."""

    def __init__(self, quic: QuicConnection, window_bytes: int) -> None:
        self._quic = quic
        self._window_bytes = window_bytes
        self._least_bytes = window_bytes // 2
        self._write_connection_limits = quic._write_connection_limits
        self._write_stream_limits = quic._write_stream_limits
        quic._write_connection_limits = self._write_of_connection  # type: ignore[method-assign]
        quic._write_stream_limits = self._write_of_stream  # type: ignore[method-assign]

    def _write_of_connection(self, builder: QuicPacketBuilder, space: QuicPacketSpace) -> None:
        limit = self._quic._local_max_data
        used = limit.used
        if limit.value - used < self._least_bytes:
            unread = sum(len(stream.receiver._buffer) for stream in self._quic._streams.values())
            limit.value = max(limit.value, used - unread + self._window_bytes)
        limit.used = 0  # else what is used by half is doubled
        try:
            self._write_connection_limits(builder=builder, space=space)
        finally:
            limit.used = used

    def _write_of_stream(self, builder: QuicPacketBuilder, space: QuicPacketSpace, stream: QuicStream) -> None:
        receiver = stream.receiver
        if 0 < stream.max_stream_data_local < receiver._buffer_start + self._least_bytes:
            stream.max_stream_data_local = receiver._buffer_start + self._window_bytes
        if stream.max_stream_data_local == stream.max_stream_data_local_sent:
            return
        highest = receiver.highest_offset
        receiver.highest_offset = 0  # as above
        try:
            self._write_stream_limits(builder=builder, space=space, stream=stream)
        finally:
            receiver.highest_offset = highest


class ClientHttp(H3Connection):
    """aioquic's HTTP/3, which would wait for the end of a frame of any size."""

    def __init__(self, quic: QuicConnection) -> None:
        super().__init__(quic, enable_webtransport=True)
        self._unread_bytes = 0
        """Of frames that are not whole, on all streams."""

    def handle_event(self, event: QuicEvent) -> list[H3Event]:
        """What an event of QUIC means; the connection ends where too much of frames waits for the rest."""
        if not isinstance(event, StreamDataReceived | StreamReset):
            return super().handle_event(event)
        self._unread_bytes -= self._unread_of(event.stream_id)
        events = super().handle_event(event)
        self._unread_bytes += self._unread_of(event.stream_id)
        if self._unread_bytes > MAX_UNREAD_FRAME_BYTES:
            self._unread_bytes = 0
            for stream in self._stream.values():
                stream.buffer = b""
            self._is_done = True
            reason = f"frames that are not whole have more than {MAX_UNREAD_FRAME_BYTES} bytes"
            self._quic.close(error_code=ErrorCode.H3_EXCESSIVE_LOAD, reason_phrase=reason)
        return events

    def _unread_of(self, stream_id: int) -> int:
        stream = self._stream.get(stream_id)
        return 0 if stream is None else len(stream.buffer)
