"""What HTTP/3 keeps for a peer, and what it refuses."""

from __future__ import annotations

import random

import pylsqpack
import pytest
from aioquic.buffer import encode_uint_var
from aioquic.h3.connection import ErrorCode, FrameType, Setting, StreamType, encode_frame
from aioquic.h3.events import DatagramReceived, DataReceived, H3Event, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import DatagramFrameReceived, StreamDataReceived
from hypothesis import given
from hypothesis import strategies as st

from cc.sender.newreno import NewReno
from transport.aioquic_adapter.session_http import (
    LEAST_FRAME_BYTES,
    MAX_FIELD_SECTION_BYTES,
    MAX_FIELDS,
    MAX_SETTINGS_BYTES,
    ROOM_FOR_FRAMES,
    SessionHttp,
    TablelessDecoder,
    field_section_bytes,
)
from transport.tests.conversation import Conversation

REQUEST = encode_uint_var(FrameType.WEBTRANSPORT_STREAM) + encode_uint_var(0) + b"{}\n"
CONTROL_STREAM = 2
GET = [
    (b":method", b"GET"),
    (b":scheme", b"https"),
    (b":authority", b"here"),
    (b":path", b"/"),
    (b"user-agent", b"Mozilla/5.0"),
]
ONE_BYTE_FIELD = bytes([0xC0 | 57])
"""`strict-transport-security` of the static table (RFC 9204 appendix A)."""
EMPTY_FRAME = bytes([0x21, 0])
"""For greasing (RFC 9114 section 7.2.8)."""
PRIORITY_UPDATE = 0xF0700


@pytest.fixture
def http() -> SessionHttp:
    """A server's, whose connection's handshake is over."""
    conversation = Conversation(lambda: NewReno(max_datagram_bytes=1200, rng=random.Random(1)), rng=random.Random(7))
    conversation.run(1)
    return SessionHttp(conversation.quic)


def closing_code(http: SessionHttp) -> int | None:
    """Why the connection is to be closed."""
    event = http._quic._close_event
    return None if event is None else event.error_code


def test_a_stream_is_forgotten_once_both_sides_have_ended(http: SessionHttp) -> None:
    for stream_id in range(4, 404, 4):
        http.handle_event(StreamDataReceived(data=REQUEST, end_stream=True, stream_id=stream_id))
        assert http.streams_kept == 1
        http.finish_sending(stream_id)
        assert http.streams_kept == 0


def test_a_stream_whose_client_ends_late_is_forgotten_then(http: SessionHttp) -> None:
    http.handle_event(StreamDataReceived(data=REQUEST, end_stream=False, stream_id=4))
    http.finish_sending(4)
    assert http.streams_kept == 1
    http.handle_event(StreamDataReceived(data=b"", end_stream=True, stream_id=4))
    assert http.streams_kept == 0


def test_a_frame_that_is_not_whole_counts_as_unread(http: SessionHttp) -> None:
    frame = encode_frame(FrameType.HEADERS, bytes(1000))
    http.handle_event(StreamDataReceived(data=frame[:500], end_stream=False, stream_id=0))
    assert http.unread_bytes == 500 - 3  # frame header apart


def test_a_long_field_section_ends_the_connection_before_it_has_come(http: SessionHttp) -> None:
    frame = encode_frame(FrameType.HEADERS, bytes(MAX_FIELD_SECTION_BYTES + 1))
    http.handle_event(StreamDataReceived(data=frame[:10], end_stream=False, stream_id=0))
    assert closing_code(http) == ErrorCode.H3_EXCESSIVE_LOAD


@pytest.mark.parametrize("is_last", [False, True])
def test_trailers_ask_nothing_and_end_a_stream_as_data_do(http: SessionHttp, is_last: bool) -> None:
    request, trailers = (
        encode_frame(FrameType.HEADERS, pylsqpack.Encoder().encode(0, fields)[1]) for fields in (GET, [(b"x", b"y")])
    )
    (asked,) = http.handle_event(StreamDataReceived(data=request, end_stream=False, stream_id=0))
    assert isinstance(asked, HeadersReceived)
    (said,) = http.handle_event(StreamDataReceived(data=trailers, end_stream=is_last, stream_id=0))
    assert said == DataReceived(data=b"", stream_id=0, stream_ended=is_last)


def test_a_requests_stream_becomes_none_of_webtransport(http: SessionHttp) -> None:
    request = encode_frame(FrameType.HEADERS, pylsqpack.Encoder().encode(0, GET)[1])
    (asked,) = http.handle_event(StreamDataReceived(data=request, end_stream=False, stream_id=0))
    assert isinstance(asked, HeadersReceived)
    assert http.handle_event(StreamDataReceived(data=REQUEST, end_stream=True, stream_id=0)) == []
    assert closing_code(http) == ErrorCode.H3_FRAME_ERROR


def ask_with_fields(http: SessionHttp, count: int) -> list[H3Event]:
    """A request of so many fields."""
    section = pylsqpack.Encoder().encode(0, GET)[1] + (count - len(GET)) * ONE_BYTE_FIELD
    data = encode_frame(FrameType.HEADERS, section)
    return http.handle_event(StreamDataReceived(data=data, end_stream=True, stream_id=0))


def test_as_many_fields_as_there_could_be_room_for_are_handed_on(http: SessionHttp) -> None:
    (asked,) = ask_with_fields(http, MAX_FIELDS)
    assert isinstance(asked, HeadersReceived)
    assert field_section_bytes(asked.headers) > MAX_FIELD_SECTION_BYTES  # so it is answered: 431
    assert closing_code(http) is None


@pytest.mark.parametrize("count", [MAX_FIELDS + 1, 4000])
def test_more_fields_than_there_could_be_room_for_end_the_connection(http: SessionHttp, count: int) -> None:
    assert ask_with_fields(http, count) == []
    assert closing_code(http) == ErrorCode.H3_EXCESSIVE_LOAD


@pytest.mark.parametrize("stream_id", [0, CONTROL_STREAM])
def test_frames_that_say_nothing_are_few(http: SessionHttp, stream_id: int) -> None:
    settings = encode_uint_var(StreamType.CONTROL) + encode_frame(FrameType.SETTINGS, b"")
    http.handle_event(StreamDataReceived(data=settings, end_stream=False, stream_id=CONTROL_STREAM))
    for _ in range(ROOM_FOR_FRAMES // LEAST_FRAME_BYTES - 1):
        http.handle_event(StreamDataReceived(data=EMPTY_FRAME, end_stream=False, stream_id=stream_id))
    assert closing_code(http) is None
    for _ in range(ROOM_FOR_FRAMES // LEAST_FRAME_BYTES):
        http.handle_event(StreamDataReceived(data=EMPTY_FRAME, end_stream=False, stream_id=stream_id))
    assert closing_code(http) == ErrorCode.H3_EXCESSIVE_LOAD


def test_what_was_sent_long_ago_lets_nobody_send_thousands_of_frames_at_once(http: SessionHttp) -> None:
    for stream_id in range(4, 4004, 4):
        http.handle_event(StreamDataReceived(data=REQUEST, end_stream=True, stream_id=stream_id))
    frames = EMPTY_FRAME * (ROOM_FOR_FRAMES // LEAST_FRAME_BYTES * 2)
    http.handle_event(StreamDataReceived(data=frames, end_stream=False, stream_id=0))
    assert closing_code(http) == ErrorCode.H3_EXCESSIVE_LOAD


def test_a_client_may_ask_thousands_of_times_and_say_how_urgent_it_is(http: SessionHttp) -> None:
    control = encode_uint_var(StreamType.CONTROL) + encode_frame(FrameType.SETTINGS, b"")
    section = pylsqpack.Encoder().encode(0, GET)[1]
    for stream_id in range(0, 16_000, 4):
        control += encode_frame(PRIORITY_UPDATE, encode_uint_var(stream_id) + b"i")
        http.handle_event(StreamDataReceived(data=control, end_stream=False, stream_id=CONTROL_STREAM))
        request = encode_frame(FrameType.HEADERS, section) + EMPTY_FRAME
        assert http.handle_event(StreamDataReceived(data=request, end_stream=True, stream_id=stream_id))
        http.finish_sending(stream_id)
        control = b""
    assert closing_code(http) is None


def test_settings_without_end_close_the_connection(http: SessionHttp) -> None:
    settings = encode_frame(FrameType.SETTINGS, bytes(MAX_SETTINGS_BYTES + 1))
    data = encode_uint_var(StreamType.CONTROL) + settings
    http.handle_event(StreamDataReceived(data=data, end_stream=False, stream_id=CONTROL_STREAM))
    assert closing_code(http) == ErrorCode.H3_EXCESSIVE_LOAD


def test_it_tells_its_limits(http: SessionHttp) -> None:
    settings = http.sent_settings
    assert settings is not None
    assert settings[Setting.MAX_FIELD_SECTION_SIZE] == MAX_FIELD_SECTION_BYTES
    assert settings[Setting.QPACK_MAX_TABLE_CAPACITY] == settings[Setting.QPACK_BLOCKED_STREAMS] == 0
    assert settings[Setting.ENABLE_WEBTRANSPORT] == 1


def test_clients_of_newer_drafts_may_open_a_session_and_streams(http: SessionHttp) -> None:
    settings = http.sent_settings
    assert settings is not None
    assert settings[0x2C7CF000] == settings[0x14E9CD29] == 1
    assert settings[0x2B61] == 2**62 - 1  # the largest that a variable-length integer holds
    assert settings[0x2B64] == settings[0x2B65] == 2**60


def test_a_field_section_is_counted_as_the_standard_counts() -> None:
    assert field_section_bytes([(b":path", b"/v1/nuwa"), (b"origin", b"")]) == 5 + 8 + 32 + 6 + 32


@given(st.binary(max_size=12))
def test_a_datagrams_session_is_the_one_that_aioquic_reads(payload: bytes) -> None:
    http = SessionHttp(QuicConnection(configuration=QuicConfiguration(is_client=True)))
    at_once = http.datagram(payload)
    if at_once is not None:
        (event,) = http.handle_event(DatagramFrameReceived(data=payload))
        assert isinstance(event, DatagramReceived)
        assert at_once == (event.stream_id, event.data)
    else:
        assert not payload or payload[0] >= 64


def test_a_datagram_without_a_session_ends_the_connection_and_no_other_is_read_then(http: SessionHttp) -> None:
    assert http.datagram(b"\0x") == (0, b"x")
    assert http.datagram(b"") is None
    assert http.handle_event(DatagramFrameReceived(data=b"")) == []
    assert closing_code(http) == ErrorCode.H3_DATAGRAM_ERROR
    assert http.datagram(b"\0x") is None


def test_our_own_table_of_fields_stays_empty_whatever_the_peer_offers(http: SessionHttp) -> None:
    offered = b"".join(
        encode_uint_var(each)
        for each in (Setting.QPACK_MAX_TABLE_CAPACITY, 2**30, Setting.QPACK_BLOCKED_STREAMS, 2**30)
    )
    control = encode_uint_var(StreamType.CONTROL) + encode_frame(FrameType.SETTINGS, offered)
    http.handle_event(StreamDataReceived(data=control, end_stream=False, stream_id=CONTROL_STREAM))
    assert closing_code(http) is None
    assert http._local_encoder_stream_id is not None
    encoder = http._quic._streams[http._local_encoder_stream_id].sender
    before_bytes = encoder._buffer_stop
    for stream_id in range(0, 400, 4):
        http._encode_headers(stream_id, [(b":status", b"429"), (b"x-number", b"%d" % stream_id)])
    assert encoder._buffer_stop == before_bytes


def test_fields_are_read_as_a_decoder_that_stays_reads_them() -> None:
    encoder, kept, own = pylsqpack.Encoder(), pylsqpack.Decoder(0, 0), TablelessDecoder()
    for stream_id in range(0, 40, 4):
        fields = [(b":method", b"GET"), (b":path", b"/v1/nuwa"), (b"x-number", b"%d" % stream_id)]
        _, section = encoder.encode(stream_id, fields)
        assert own.feed_header(stream_id, section) == kept.feed_header(stream_id, section) == (b"", fields)
        assert own.cancel_stream(stream_id) == kept.cancel_stream(stream_id)
    for decoder in (own, kept):
        with pytest.raises(pylsqpack.DecompressionFailed):
            decoder.feed_header(0, b"\x02\x00\x80")  # of an entry of the dynamic table


def test_instructions_for_the_table_may_come_in_pieces_and_give_it_no_room() -> None:
    decoder = TablelessDecoder()
    assert decoder.feed_encoder(b"\x3f") == decoder.feed_encoder(b"\x80") == []
    with pytest.raises(pylsqpack.EncoderStreamError):  # a capacity of 31 (RFC 9204 section 4.3.1)
        decoder.feed_encoder(b"\x00")
    assert TablelessDecoder().feed_encoder(b"\x20") == []  # a capacity of 0
