"""What a session keeps for its client, in a server on loopback."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from aioquic.h3.connection import H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.events import QuicEvent

from cc.core.base import RttState
from transport.aioquic_adapter.peer_limits import PeerLimits
from transport.aioquic_adapter.session_http import TablelessDecoder
from transport.headless.client import ClientProtocol
from transport.media_server.media_protocol import MediaProtocol
from transport.media_server.session_base import LEAST_PIECE_BYTES, MAX_BACKLOG_BYTES, MOST_PIECE_BYTES
from transport.tests.serving import with_both_ends

ROUND_TRIP = RttState(latest_s=0.04, smoothed_s=0.04, min_s=0.04, variance_s=0.0)


def held_bytes(connection: MediaProtocol) -> int:
    """By weight."""
    limits: PeerLimits = connection.connection.limits
    return limits.held_bytes()


def test_finished_requests_leave_nothing(tmp_path: Path) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        assert connection._opening is not None
        await client.download("generated/1000", on_data=lambda data: None)
        await client.ping()
        before = (held_bytes(connection), connection._opening.http.streams_kept)
        for _ in range(50):
            await client.download("generated/1000", on_data=lambda data: None)
        await client.ping()
        assert connection._opening.http.streams_kept == before[1]
        assert held_bytes(connection) < before[0] + 10_000  # some packets are not acknowledged yet

    with_both_ends(tmp_path, scenario)


def test_a_client_that_gives_its_encoders_stream_no_instructions_has_no_decoder_kept(tmp_path: Path) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        await client.download("generated/1000", on_data=lambda data: None)
        assert connection._opening is not None
        http = connection._opening.http
        assert http._peer_encoder_stream_id is not None
        decoder: object = http._decoder
        assert isinstance(decoder, TablelessDecoder)
        assert decoder._of_instructions is None

    with_both_ends(tmp_path, scenario)


def test_little_is_written_ahead_however_short_the_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        monkeypatch.setattr(type(connection.connection.scheme), "cwnd_bytes", 10**9)
        began = asyncio.Event()
        download = asyncio.create_task(client.download("generated/100000000", on_data=lambda data: began.set()))
        await began.wait()
        session = connection._session
        assert session is not None
        session.write_ahead(now_s=connection._loop.time())
        assert MOST_PIECE_BYTES < session.ready_bytes < MAX_BACKLOG_BYTES + MOST_PIECE_BYTES
        download.cancel()
        await asyncio.wait([download])

    with_both_ends(tmp_path, scenario)


def test_on_a_slow_path_little_waits_before_an_urgent_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        monkeypatch.setattr(type(connection.connection.scheme), "cwnd_bytes", 5_000)  # 1 Mbit/s
        monkeypatch.setattr(type(connection.connection), "rtt", ROUND_TRIP)
        began = asyncio.Event()
        download = asyncio.create_task(client.download("generated/100000000", on_data=lambda data: began.set()))
        await began.wait()
        session = connection._session
        assert session is not None
        session.write_ahead(now_s=connection._loop.time())
        assert LEAST_PIECE_BYTES <= session.ready_bytes < 2 * LEAST_PIECE_BYTES
        download.cancel()
        await asyncio.wait([download])

    with_both_ends(tmp_path, scenario)


def test_a_late_host_writes_as_much_as_may_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        began = asyncio.Event()
        download = asyncio.create_task(client.download("generated/100000000", on_data=lambda data: began.set()))
        await began.wait()
        monkeypatch.setattr(type(connection.connection), "sendable_bytes", lambda self, *, now_s: 150_000)
        monkeypatch.setattr(type(connection.connection.scheme), "cwnd_bytes", 100_000)
        monkeypatch.setattr(type(connection.connection), "rtt", ROUND_TRIP)
        session = connection._session
        assert session is not None
        session.write_ahead(now_s=connection._loop.time())
        assert 150_000 <= session.ready_bytes < 150_000 + MOST_PIECE_BYTES
        download.cancel()
        await asyncio.wait([download])

    with_both_ends(tmp_path, scenario)


def test_nothing_is_written_ahead_beyond_the_clients_credit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        monkeypatch.setattr(type(connection.connection.scheme), "cwnd_bytes", 10**9)
        connection._quic._remote_max_data = connection._quic._remote_max_data_used + 1000
        began = asyncio.Event()
        download = asyncio.create_task(client.download("generated/100000000", on_data=lambda data: began.set()))
        await began.wait()
        session = connection._session
        assert session is not None
        session.write_ahead(now_s=connection._loop.time())
        assert session.ready_bytes <= MOST_PIECE_BYTES
        download.cancel()
        await asyncio.wait([download])

    with_both_ends(tmp_path, scenario)


def test_a_field_section_longer_than_its_encoding_is_refused(tmp_path: Path) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        http = client._http
        assert http is not None
        stream_id = client._quic.get_next_available_stream_id()
        statuses: list[bytes] = []
        handle = H3Connection.handle_event

        def watch(self: H3Connection, event: QuicEvent) -> object:
            events = handle(self, event)
            statuses.extend(
                dict(each.headers)[b":status"]
                for each in events
                if isinstance(each, HeadersReceived) and each.stream_id == stream_id
            )
            return events

        http.handle_event = watch.__get__(http)  # type: ignore[method-assign]
        fields = [(b":method", b"GET"), (b":scheme", b"https"), (b":authority", b"a"), (b":path", b"/")]
        http.send_headers(stream_id, [*fields, *[(b"accept-encoding", b"gzip, deflate, br")] * 100], end_stream=True)
        client.transmit()
        await client.ping()
        assert statuses == [b"431"]

    with_both_ends(tmp_path, scenario)


def test_a_request_beyond_those_that_may_be_open_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        monkeypatch.setattr("transport.media_server.media_session.MAX_OPEN_REQUESTS", 1)
        began = asyncio.Event()
        endless = asyncio.create_task(client.download("generated/1000000000", on_data=lambda data: began.set()))
        await began.wait()
        head = await client.download("generated/1", on_data=lambda data: None, priority=0)
        assert (head["status"], head["reason"]) == (400, "at most 1 requests may be open")
        endless.cancel()
        await asyncio.wait([endless])

    with_both_ends(tmp_path, scenario)
