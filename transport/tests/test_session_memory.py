"""What a session keeps for its client, in a server on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aioquic.h3.connection import H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.events import QuicEvent

from cc.core.base import RttState
from cc.receiver.observer import Observer
from transport.aioquic_adapter.peer_limits import PeerLimits
from transport.headless.client import ClientProtocol, open_session
from transport.media_server.media_protocol import MediaProtocol
from transport.media_server.responses import CHUNK_BYTES
from transport.media_server.server import start_server
from transport.media_server.server_options import ServerOptions
from transport.media_server.session_base import BACKLOG_BYTES, MAX_BACKLOG_BYTES

ORIGIN = "http://localhost:8080"
TIME_LIMIT_S = 20.0
ROUND_TRIP = RttState(latest_s=0.04, smoothed_s=0.04, min_s=0.04, variance_s=0.0)


@asynccontextmanager
async def session(folder: Path) -> AsyncIterator[tuple[ClientProtocol, MediaProtocol]]:
    """Both ends of one."""
    server = await start_server(ServerOptions(directory=folder, host="127.0.0.1", port=0, origins=frozenset({ORIGIN})))
    try:
        url = f"https://127.0.0.1:{server.port}/v1/cubic"
        async with open_session(url, origin=ORIGIN, receiver=Observer()) as client:
            (connection,) = server._server.connections
            assert isinstance(connection, MediaProtocol)
            yield client, connection
    finally:
        await server.stop()


def run(folder: Path, scenario: Callable[[ClientProtocol, MediaProtocol], Awaitable[None]]) -> None:
    """Run to the end, or fail after a time no scenario needs."""

    async def limited() -> None:
        async with asyncio.timeout(TIME_LIMIT_S), session(folder) as (client, connection):
            await scenario(client, connection)

    asyncio.run(limited())


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

    run(tmp_path, scenario)


def test_little_is_written_ahead_however_short_the_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        monkeypatch.setattr(type(connection.connection.scheme), "cwnd_bytes", 10**9)
        began = asyncio.Event()
        download = asyncio.create_task(client.download("generated/100000000", on_data=lambda data: began.set()))
        await began.wait()
        session = connection._session
        assert session is not None
        assert BACKLOG_BYTES < session._fill_backlog(now_s=connection._loop.time()) < MAX_BACKLOG_BYTES + CHUNK_BYTES
        download.cancel()
        await asyncio.wait([download])

    run(tmp_path, scenario)


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
        assert 150_000 <= session._fill_backlog(now_s=connection._loop.time()) < 150_000 + CHUNK_BYTES
        download.cancel()
        await asyncio.wait([download])

    run(tmp_path, scenario)


def test_nothing_is_written_ahead_beyond_the_clients_credit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        monkeypatch.setattr(type(connection.connection.scheme), "cwnd_bytes", 10**9)
        connection._quic._remote_max_data = connection._quic._remote_max_data_used + 1000
        began = asyncio.Event()
        download = asyncio.create_task(client.download("generated/100000000", on_data=lambda data: began.set()))
        await began.wait()
        session = connection._session
        assert session is not None
        assert session._fill_backlog(now_s=connection._loop.time()) <= CHUNK_BYTES
        download.cancel()
        await asyncio.wait([download])

    run(tmp_path, scenario)


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

    run(tmp_path, scenario)


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

    run(tmp_path, scenario)
