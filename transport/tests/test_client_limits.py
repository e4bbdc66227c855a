"""A server that would fill the headless receiver's memory."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from aioquic.buffer import Buffer, encode_uint_var  # type: ignore[attr-defined]
from aioquic.h3.connection import FrameType
from aioquic.quic.connection import QuicConnectionError
from aioquic.quic.events import StreamDataReceived, StreamReset
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.tls import Epoch

from cc.receiver.observer import Observer
from transport.aioquic_adapter.client_limits import (
    MAX_GAPS,
    MAX_SERVER_STREAMS,
    MAX_UNREAD_FRAME_BYTES,
    ClientHttp,
    hold_window,
)
from transport.headless.client import ClientProtocol, make_client, open_session_as
from transport.media_server.media_session import MediaSession
from transport.tests.conversation import Conversation, new_reno
from transport.tests.serving import ORIGIN, run, running_server, with_session
from transport.tests.test_peer_limits import receive_stream

WINDOW_BYTES = 2**20
SERVERS_STREAM = 15
"""The fourth unidirectional one: HTTP/3 has three."""


class Frames:
    """Takes what is written, in place of a packet."""

    def start_frame(self, frame_type: int, **_: object) -> Buffer:
        return Buffer(capacity=16)


def grant(client: Conversation) -> None:
    """What the client's next packet would grant."""
    quic = client.client
    builder: QuicPacketBuilder = Frames()  # type: ignore[assignment]
    space = quic._spaces[Epoch.ONE_RTT]
    quic._write_connection_limits(builder=builder, space=space)
    quic._write_stream_limits(builder=builder, space=space, stream=quic._streams[SERVERS_STREAM])


def with_a_window() -> Conversation:
    """The client's connection holds its window."""
    conversation = Conversation(new_reno, rng=random.Random(7))
    conversation.run(1)
    quic = conversation.client
    used = quic._local_max_data.used
    quic._local_max_data.value = quic._local_max_data.sent = used + WINDOW_BYTES
    quic._local_max_stream_data_uni = WINDOW_BYTES
    hold_window(quic, WINDOW_BYTES)
    return conversation


def test_what_is_missing_makes_no_window_larger() -> None:
    conversation = with_a_window()
    quic = conversation.client
    for _ in range(10):
        receive_stream(quic, SERVERS_STREAM, WINDOW_BYTES - 1, b"x")
        grant(conversation)
        stream = quic._streams[SERVERS_STREAM]
        assert stream.max_stream_data_local == WINDOW_BYTES
        assert len(stream.receiver._buffer) == WINDOW_BYTES
    assert quic._local_max_data.value <= quic._local_max_data.used + WINDOW_BYTES


def test_what_was_read_makes_room() -> None:
    conversation = with_a_window()
    quic = conversation.client
    for begin in range(0, 10 * WINDOW_BYTES, WINDOW_BYTES // 4):
        receive_stream(quic, SERVERS_STREAM, begin, bytes(WINDOW_BYTES // 4))
        grant(conversation)
    stream = quic._streams[SERVERS_STREAM]
    assert stream.receiver.starting_offset() == 10 * WINDOW_BYTES
    assert stream.max_stream_data_local <= 11 * WINDOW_BYTES


def test_a_server_opens_no_more_streams_than_it_needs() -> None:
    quic = with_a_window().client
    receive_stream(quic, 4 * MAX_SERVER_STREAMS - 1, 0, b"x")
    for stream_id in (4 * MAX_SERVER_STREAMS + 3, 1):
        with pytest.raises(QuicConnectionError, match="Too many streams"):
            receive_stream(quic, stream_id, 0, b"x")


def test_a_stream_of_thousands_of_gaps_is_refused() -> None:
    quic = with_a_window().client
    for gap in range(MAX_GAPS, 0, -1):
        receive_stream(quic, SERVERS_STREAM, 2 * gap + 1, b"x")
    with pytest.raises(QuicConnectionError, match="gaps"):
        receive_stream(quic, SERVERS_STREAM, 1, b"x")


@pytest.mark.parametrize("is_reset", [False, True])
def test_frames_that_are_not_whole_are_counted_on_all_streams(is_reset: bool) -> None:
    quic = with_a_window().client
    http = ClientHttp(quic)
    most_bytes = MAX_UNREAD_FRAME_BYTES // 2 + 1
    part = encode_uint_var(FrameType.HEADERS) + encode_uint_var(MAX_UNREAD_FRAME_BYTES) + bytes(most_bytes)
    for stream_id in (0, 4):
        http.handle_event(StreamDataReceived(data=part, end_stream=False, stream_id=stream_id))
        if is_reset:
            http.handle_event(StreamReset(error_code=0, stream_id=stream_id))
    assert (quic._close_event is None) == is_reset


def test_a_download_of_many_windows_comes_whole(film: Path) -> None:
    wanted_bytes, received_bytes = 5 * WINDOW_BYTES, 0

    def count(data: bytes) -> None:
        nonlocal received_bytes
        received_bytes += len(data)

    async def scenario() -> None:
        async with (
            running_server(film) as url,
            open_session_as(
                make_client,
                f"{url}/v1/newreno",
                origin=ORIGIN,
                receiver=Observer(),
                receive_window_bytes=WINDOW_BYTES,
            ) as client,
        ):
            await client.download(f"generated/{wanted_bytes}", on_data=count)

    run(scenario())
    assert received_bytes == wanted_bytes


@pytest.mark.parametrize("frame_type", [FrameType.HEADERS, FrameType.PUSH_PROMISE])
def test_a_frame_without_an_end_is_not_collected(
    film: Path, monkeypatch: pytest.MonkeyPatch, frame_type: FrameType
) -> None:
    frame = encode_uint_var(frame_type) + encode_uint_var(2**40) + bytes(2 * MAX_UNREAD_FRAME_BYTES)
    monkeypatch.setattr(
        MediaSession,
        "on_datagram",
        lambda session, data, now_s: session._connection.streams.write(session.session_id, frame, is_last=False),
    )

    async def scenario(client: ClientProtocol) -> None:
        client.send_raw_datagram(b"a frame, please")
        assert "frames that are not whole have more than" in await client.wait_session_closed()

    with_session(film, scenario)
