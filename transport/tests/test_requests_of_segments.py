"""Segment requests over real sockets on loopback: answered, refused, cancelled, and more than a client may have."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import QuicEvent, StopSendingReceived, StreamReset

from cc.registry import SCHEMES
from transport.aioquic_adapter.peer_limits import PEER_DATA_WINDOW_BYTES, PEER_STREAM_LIMIT_BYTES
from transport.headless.client import ClientProtocol, SessionClosedError
from transport.media_server.content import ServedFolder
from transport.media_server.session_base import MAX_OPEN_REQUESTS
from transport.tests.serving import SEGMENT, until, with_session
from transport.wire_format.stream_codes import StreamCode, webtransport_code

REQUEST = b'{"path": "seg.m4s"}\n'


@pytest.mark.parametrize("name", [entry.name for entry in SCHEMES])
def test_a_segment_arrives_whole_under_every_scheme(film: Path, name: str) -> None:
    async def scenario(client: ClientProtocol) -> None:
        received = bytearray()
        head = await client.download("seg.m4s", on_data=received.extend)
        assert head == {"status": 200, "length": len(SEGMENT), "total": len(SEGMENT), "type": "video/iso.segment"}
        assert bytes(received) == SEGMENT

    with_session(film, scenario, path=f"/v1/{name}")


def test_unknown_paths_are_404_and_the_session_goes_on(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        head = await client.download("../secret", on_data=lambda data: None)
        assert (head["status"], head["length"]) == (404, 0)
        assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200

    with_session(film, scenario)


def test_a_file_that_cannot_be_opened_ends_its_stream_and_not_the_session(
    film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: ServedFolder, path: str) -> NoReturn:
        raise PermissionError(errno.EACCES, "not yours", path)

    async def scenario(client: ClientProtocol) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(ServedFolder, "open", refuse)
            with pytest.raises(SessionClosedError, match=r"reset the stream \(code 2;"):
                await client.download("seg.m4s", on_data=lambda data: None)
        assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200

    with_session(film, scenario)


def test_a_manifest_that_is_replaced_while_it_is_sent_arrives_as_it_was(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        old, new, received = b"A" * 3_000_000, b"B" * 4_000_000, bytearray()
        (film / "live.mpd").write_bytes(old)

        def take(data: bytes) -> None:
            if not received:
                (film / ".new").write_bytes(new)
                (film / ".new").replace(film / "live.mpd")
            received.extend(data)

        assert (await client.download("live.mpd", on_data=take))["length"] == len(old)
        assert received == old

    with_session(film, scenario)


def test_the_client_keeps_nothing_of_requests_that_are_over(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        await client.download("seg.m4s", on_data=lambda data: None)
        assert client._own_streams == set()
        began = asyncio.Event()
        endless = asyncio.create_task(client.download("generated/1000000000", on_data=lambda data: began.set()))
        await began.wait()
        endless.cancel()
        await until(lambda: client._own_streams == set())

    with_session(film, scenario)


def test_no_answer_leaves_a_file_open(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        (film / "empty.m4s").touch()
        before = len(os.listdir("/proc/self/fd"))
        await client.download("seg.m4s", on_data=lambda data: None)
        await client.download("empty.m4s", on_data=lambda data: None)
        await client.download("seg.m4s", on_data=lambda data: None, byte_range=(len(SEGMENT), 10**9))
        assert len(os.listdir("/proc/self/fd")) == before

    with_session(film, scenario)


def test_ranges_and_ranges_outside(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        received = bytearray()
        head = await client.download("seg.m4s", on_data=received.extend, byte_range=(10, 19))
        assert (head["status"], head["length"]) == (206, 10)
        assert bytes(received) == SEGMENT[10:20]
        received.clear()
        await client.download("seg.m4s", on_data=received.extend, byte_range=(len(SEGMENT) - 3, 10**9))
        assert bytes(received) == SEGMENT[-3:]
        head = await client.download("seg.m4s", on_data=received.extend, byte_range=(len(SEGMENT), 10**9))
        assert head["status"] == 416

    with_session(film, scenario)


def test_an_urgent_request_overtakes_an_earlier_one(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        finished: list[str] = []

        async def fetch(name: str, path: str, priority: int) -> None:
            await client.download(path, on_data=lambda data: None, priority=priority)
            finished.append(name)

        await asyncio.gather(fetch("late", "generated/8000000", 9), fetch("urgent", "seg.m4s", 1))
        assert finished == ["urgent", "late"]

    with_session(film, scenario)


def test_a_cancelled_download_stops_and_the_session_goes_on(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        began = asyncio.Event()
        download = asyncio.create_task(client.download("generated/1000000000000", on_data=lambda data: began.set()))
        await began.wait()
        download.cancel()
        with pytest.raises(asyncio.CancelledError):
            await download
        received = bytearray()
        await client.download("seg.m4s", on_data=received.extend)
        assert bytes(received) == SEGMENT

    with_session(film, scenario)


@pytest.mark.parametrize("cancel", [QuicConnection.reset_stream, QuicConnection.stop_stream])
def test_a_session_whose_own_stream_is_cancelled_is_over(
    film: Path, caplog: pytest.LogCaptureFixture, cancel: Callable[[QuicConnection, int, int], None]
) -> None:
    async def scenario(client: ClientProtocol) -> None:
        cancel(client._quic, 0, 1)
        for _ in range(60):  # more malformed ones than a session lives through
            client.send_raw_datagram(b"x")
        await client.wait_session_closed()
        assert "unexpected error" not in caplog.text

    with_session(film, scenario)


def test_a_session_may_be_closed_and_its_stream_stopped_at_once(film: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(client: ClientProtocol) -> None:
        client._quic.send_stream_data(0, b"", end_stream=True)
        client.transmit()  # both packets have come before either is handled
        client._quic.stop_stream(0, 1)
        client.transmit()
        await client.wait_session_closed()
        assert "unexpected error" not in caplog.text

    with_session(film, scenario)


def test_an_answer_that_is_stopped_before_it_is_asked_for_is_not_given(
    film: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(client: ClientProtocol) -> None:
        assert client._http is not None
        stream_id = client._quic.get_next_available_stream_id()
        client._quic.send_stream_data(stream_id, b"")
        client._quic.stop_stream(stream_id, 1)
        client.transmit()
        await client.ping()
        headers = [(b":method", b"GET"), (b":scheme", b"https"), (b":authority", b"a"), (b":path", b"/")]
        client._http.send_headers(stream_id, headers)
        client.transmit()
        assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200
        assert "unexpected error" not in caplog.text

    with_session(film, scenario)


def ask_and_cancel(client: ClientProtocol, stream_id: int) -> None:
    """Both in one packet."""
    client._quic.send_stream_data(stream_id, REQUEST, end_stream=True)
    client._quic.stop_stream(stream_id, 1)
    client.transmit()


def ask_in_parts_and_cancel(client: ClientProtocol, stream_id: int) -> None:
    """The cancel comes with the first half, which is all that comes for now."""
    client._quic.send_stream_data(stream_id, REQUEST[:5])
    client._quic.stop_stream(stream_id, 1)
    client.transmit()


def cancel_before(client: ClientProtocol, stream_id: int) -> None:
    """As where the request's packet was lost and the cancel's was not."""
    client._quic.stop_stream(stream_id, 1)
    client.transmit()


@pytest.mark.parametrize("cancel", [ask_and_cancel, ask_in_parts_and_cancel, cancel_before])
def test_a_cancel_may_come_with_its_request_or_before(
    film: Path, cancel: Callable[[ClientProtocol, int], None]
) -> None:
    async def scenario(client: ClientProtocol) -> None:
        stream_id = open_raw_stream(client)
        cancel(client, stream_id)
        await client.ping()
        if cancel is not ask_and_cancel:
            client._quic.send_stream_data(stream_id, REQUEST, end_stream=True)
            client.transmit()
            await client.ping()
        received = bytearray()
        await client.download("seg.m4s", on_data=received.extend)
        assert bytes(received) == SEGMENT

    with_session(film, scenario)


def codes_seen(client: ClientProtocol, monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """Of streams that the server resets or stops from now on, as HTTP/3 has them."""
    seen: dict[int, int] = {}
    handle = client.quic_event_received

    def watch(event: QuicEvent) -> None:
        if isinstance(event, StreamReset | StopSendingReceived):
            seen[event.stream_id] = event.error_code
        handle(event)

    monkeypatch.setattr(client, "quic_event_received", watch)
    return seen


def test_codes_of_streams_are_those_of_webtransport(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: ClientProtocol) -> None:
        assert client._http is not None
        seen = codes_seen(client, monkeypatch)
        pushed = client._http.create_webtransport_stream(0, is_unidirectional=True)
        client._quic.send_stream_data(pushed, b"hello")
        asked = open_raw_stream(client)
        client._quic.send_stream_data(asked, b'{"path": "generated/1000000000"}\n', end_stream=True)
        client.transmit()
        await client.ping()
        client._quic.stop_stream(asked, webtransport_code(StreamCode.REQUEST_CANCELLED))
        client.transmit()
        while asked not in seen:  # its reset may come behind the first answer to a ping
            await client.ping()
        assert seen == {pushed: 0x52E4A40FA8DC, asked: 0x52E4A40FA8DC}

    with_session(film, scenario)


def open_raw_stream(client: ClientProtocol) -> int:
    """A stream on which a test writes what it likes."""
    assert client._http is not None
    stream_id = client._http.create_webtransport_stream(0)
    client._own_streams.add(stream_id)
    return stream_id


def test_a_client_is_not_granted_more_memory_however_it_asks(film: Path) -> None:
    """RFC 9000 section 21.7: one byte at the end of the credit, again and again, as the credit would grow."""

    async def scenario(client: ClientProtocol) -> None:
        quic = client._quic
        for _ in range(8):
            stream_id = open_raw_stream(client)
            await client.ping()
            limit = quic._streams[stream_id].max_stream_data_remote
            quic._streams[stream_id].sender._buffer_start = limit - 1
            quic._streams[stream_id].sender._buffer_stop = limit - 1
            quic.send_stream_data(stream_id, b"x")
            client.transmit()
            await client.ping()
        granted = max(stream.max_stream_data_remote for stream in quic._streams.values())
        assert granted <= PEER_STREAM_LIMIT_BYTES
        assert quic._remote_max_data - quic._remote_max_data_used <= PEER_DATA_WINDOW_BYTES

    with_session(film, scenario)


def test_a_long_session_is_granted_credit_for_every_request(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        for _ in range(400):  # 400 requests of about 1 KiB are more than the first credit of 32 KiB
            await client.download("generated/1?" + "x" * 1000, on_data=lambda data: None)

    with_session(film, scenario)


@pytest.mark.parametrize(
    "pieces",
    [[b"x" * 3000, b"y" * 3000], [b'{"path":', b'"seg.m4s"', b"}"], [b"x" * 2500, b"", b"z"]],
    ids=["too long", "in three", "ended late"],
)
def test_a_request_in_pieces_is_answered_once_and_the_session_goes_on(film: Path, pieces: list[bytes]) -> None:
    async def scenario(client: ClientProtocol) -> None:
        stream_id = open_raw_stream(client)
        for index, piece in enumerate(pieces):
            client._quic.send_stream_data(stream_id, piece, end_stream=index == len(pieces) - 1)
            client.transmit()
            await client.ping()
        assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200

    with_session(film, scenario)


def test_more_unfinished_requests_than_allowed_leave_the_session_working(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        streams = [open_raw_stream(client) for _ in range(MAX_OPEN_REQUESTS + 4)]
        for _ in range(2):
            for stream_id in streams:
                client._quic.send_stream_data(stream_id, b"x")
            client.transmit()
            await client.ping()
        for stream_id in streams:
            client._quic.reset_stream(stream_id, 1)
        client.transmit()
        assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200

    with_session(film, scenario)


def test_a_unidirectional_stream_is_stopped_and_the_session_goes_on(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        assert client._http is not None
        stream_id = client._http.create_webtransport_stream(0, is_unidirectional=True)
        client._quic.send_stream_data(stream_id, b"hello")
        client.transmit()
        await client.ping()
        assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200

    with_session(film, scenario)
