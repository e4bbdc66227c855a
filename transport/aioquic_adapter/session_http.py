"""HTTP/3 for one session's connection: no dynamic table, short fields, and nothing kept of a finished stream."""

from __future__ import annotations

import pylsqpack
from aioquic.buffer import encode_uint_var
from aioquic.h3.connection import (
    ErrorCode,
    FrameError,
    FrameType,
    H3Connection,
    H3Stream,
    HeadersState,
    ProtocolError,
    Setting,
    encode_frame,
)
from aioquic.h3.events import DataReceived, H3Event, Headers, HeadersReceived
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import QuicEvent, StreamDataReceived

from transport.aioquic_adapter.critical_streams import keep_streams

MAX_FIELD_SECTION_BYTES = 4096
"""Of a request's fields, decoded, as RFC 9114 section 4.2.2 counts them."""
FIELD_OVERHEAD_BYTES = 32
MAX_FIELDS = MAX_FIELD_SECTION_BYTES // FIELD_OVERHEAD_BYTES
"""By what each counts beside its name and value; a section may tell of thousands, a byte each."""
LEAST_FRAME_BYTES = 8
"""Of frames on the average: what a PRIORITY_UPDATE has, the smallest that clients repeat (RFC 9218 section 7.2)."""
ROOM_FOR_FRAMES = 256 * LEAST_FRAME_BYTES
"""So many may have none."""
MAX_SETTINGS_BYTES = 512
"""Of a peer's SETTINGS frame; each setting is kept, known or not."""

WT_ENABLED = 0x2C7CF000
WT_MAX_SESSIONS = 0x14E9CD29
WT_INITIAL_MAX_DATA = 0x2B61
WT_INITIAL_MAX_STREAMS_UNI = 0x2B64
WT_INITIAL_MAX_STREAMS_BIDI = 0x2B65
ONE_BYTE_NUMBERS = 64  # variable-length integers below it take one byte (RFC 9000 section 16)
NEWER_DRAFTS = {
    WT_ENABLED: 1,
    WT_MAX_SESSIONS: 1,
    WT_INITIAL_MAX_DATA: 2**62 - 1,
    WT_INITIAL_MAX_STREAMS_UNI: 2**60,
    WT_INITIAL_MAX_STREAMS_BIDI: 2**60,
}
"""Settings of draft-ietf-webtrans-http3-13 to -15, without which their clients open no session, or no stream in it.

A session has a connection of its own, so QUIC's limits, which `peer_limits` sets, are the session's: these never bind.
"""


class ExcessiveLoadError(ProtocolError):
    """The peer asks for more than a session needs."""

    error_code = ErrorCode.H3_EXCESSIVE_LOAD


def field_section_bytes(headers: Headers) -> int:
    """The size of a field section (RFC 9114 section 4.2.2)."""
    return sum(len(name) + len(value) + FIELD_OVERHEAD_BYTES for name, value in headers)


class TablelessDecoder:
    """QPACK's decoder where there is no dynamic table: a field section leaves nothing for the next one.

    One of pylsqpack's has 4.5 kB, so it lives for one section. What a peer tells of the table may come in pieces of an
    instruction; it is read by one that stays, if there is any.
    """

    def __init__(self) -> None:
        self._of_instructions: pylsqpack.Decoder | None = None

    def feed_header(self, stream_id: int, data: bytes) -> tuple[bytes, Headers]:
        """Raises DecompressionFailed, and ExcessiveLoadError: decoding is what thousands of fields cost most."""
        instructions, headers = _decoder().feed_header(stream_id, data)
        if len(headers) > MAX_FIELDS:
            raise ExcessiveLoadError(f"a request has at most {MAX_FIELDS} fields")
        return instructions, headers

    def resume_header(self, stream_id: int) -> tuple[bytes, Headers]:
        """Raises ValueError: no stream waits for entries of the table."""
        return _decoder().resume_header(stream_id)

    def cancel_stream(self, stream_id: int) -> bytes:
        """What the peer is told of a stream that is given up."""
        return _decoder().cancel_stream(stream_id)

    def feed_encoder(self, data: bytes) -> list[int]:
        """No stream waits for it. Raises EncoderStreamError for all that a table without room allows nobody."""
        if not data:
            return []  # the stream has been opened, which all clients do, and few ever use
        if self._of_instructions is None:
            self._of_instructions = _decoder()
        return self._of_instructions.feed_encoder(data)


def _decoder() -> pylsqpack.Decoder:
    return pylsqpack.Decoder(0, 0)


def _without_trailers(event: H3Event) -> H3Event:
    """Trailers (RFC 9114 section 4.1) say nothing here but that a stream ends, as no more data do: they ask nothing."""
    if isinstance(event, HeadersReceived) and all(name != b":method" for name, _ in event.headers):
        return DataReceived(data=b"", stream_id=event.stream_id, stream_ended=event.stream_ended)
    return event


class SessionHttp(H3Connection):
    """aioquic's HTTP/3, in which the bytes of WebTransport streams are written behind its back."""

    def __init__(self, quic: QuicConnection) -> None:
        super().__init__(quic, enable_webtransport=True)
        own = (self._local_control_stream_id, self._local_encoder_stream_id, self._local_decoder_stream_id)
        keep_streams(quic, [stream_id for stream_id in own if stream_id is not None])
        self._room_for_frames = ROOM_FOR_FRAMES

    def handle_event(self, event: QuicEvent) -> list[H3Event]:
        if isinstance(event, StreamDataReceived):
            self._room_for_frames = min(self._room_for_frames, ROOM_FOR_FRAMES) + len(event.data)
        return [_without_trailers(each) for each in super().handle_event(event)]

    def datagram(self, payload: bytes) -> tuple[int, bytes] | None:
        """The stream of a QUIC datagram's session, and what it says to it (RFC 9297 section 2.1).

        None where `handle_event` has to look: at longer numbers of streams, or none, or once the connection is over.
        """
        if not payload or payload[0] >= ONE_BYTE_NUMBERS or self._is_done:
            return None
        return 4 * payload[0], payload[1:]

    def response_head(self, stream_id: int, headers: Headers, *, body_bytes: int) -> bytes:
        """What leads a body of that size, which is one DATA frame: it is written by the one who writes the body."""
        head = encode_frame(FrameType.HEADERS, self._encode_headers(stream_id, headers))
        return head + (encode_uint_var(FrameType.DATA) + encode_uint_var(body_bytes) if body_bytes else b"")

    def finish_sending(self, stream_id: int) -> None:
        """Nothing more is written to a stream: once the peer's side has ended, too, it is forgotten."""
        stream = self._stream.get(stream_id)
        if stream is not None:
            stream.sending_ended = True
            if stream.is_ended():
                del self._stream[stream_id]

    @property
    def streams_kept(self) -> int:
        """Streams that are not finished."""
        return len(self._stream)

    @property
    def unread_bytes(self) -> int:
        """What has arrived of frames that are not whole."""
        return sum(len(stream.buffer) for stream in self._stream.values())

    def _init_connection(self) -> None:
        # a dynamic table would let the peer keep header blocks waiting for its entries
        self._max_table_capacity = self._blocked_streams = 0
        self._decoder = TablelessDecoder()  # type: ignore[assignment]
        super()._init_connection()

    def _validate_settings(self, settings: dict[int, int]) -> None:
        # in our own table the peer would decide how much is kept until it has acknowledged it
        super()._validate_settings(settings)
        settings[Setting.QPACK_MAX_TABLE_CAPACITY] = settings[Setting.QPACK_BLOCKED_STREAMS] = 0

    def _get_local_settings(self) -> dict[int, int]:
        own: dict[int, int] = {Setting.MAX_FIELD_SECTION_SIZE: MAX_FIELD_SECTION_BYTES}
        return {**super()._get_local_settings(), **own, **NEWER_DRAFTS}

    def _check_control_frame_type(self, frame_type: int) -> None:
        super()._check_control_frame_type(frame_type)
        self._count_frame()

    def _check_request_or_push_frame_type(self, frame_type: int, stream: H3Stream) -> None:
        super()._check_request_or_push_frame_type(frame_type, stream)
        self._count_frame()
        if frame_type == FrameType.WEBTRANSPORT_STREAM and stream.headers_recv_state is not HeadersState.INITIAL:
            raise FrameError("a request's stream becomes none of WebTransport")
        if frame_type == FrameType.HEADERS and (stream.frame_size or 0) > MAX_FIELD_SECTION_BYTES:
            raise ExcessiveLoadError(f"a field section has at most {MAX_FIELD_SECTION_BYTES} bytes")

    def _handle_control_frame(self, frame_type: int, frame_data: bytes) -> None:
        if frame_type == FrameType.SETTINGS and len(frame_data) > MAX_SETTINGS_BYTES:
            raise ExcessiveLoadError(f"settings have at most {MAX_SETTINGS_BYTES} bytes")
        super()._handle_control_frame(frame_type, frame_data)

    def _count_frame(self) -> None:
        self._room_for_frames -= LEAST_FRAME_BYTES
        if self._room_for_frames < 0:
            raise ExcessiveLoadError(f"frames have fewer than {LEAST_FRAME_BYTES} bytes on the average")
