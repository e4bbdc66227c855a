"""A server under a wave of newcomers: who gets in, who has to go, and what is left of them."""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import socket
import weakref
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from ssl import CERT_NONE

import pytest
from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.h3.connection import H3_ALPN
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet import pull_quic_header

from cc.receiver.observer import Observer
from transport.aioquic_adapter.server import MOST_PACKETS
from transport.headless.client import (
    RECEIVE_WINDOW_BYTES,
    ClientProtocol,
    SessionClosedError,
    make_client,
    open_session,
    open_session_as,
)
from transport.media_server.admission.limits import DEFAULT_LIMITS, AdmissionLimits, RoomLimits
from transport.media_server.admission.resets import KEY_BYTES
from transport.media_server.self_check import SelfCheckResult
from transport.media_server.server import MediaServer, start_server
from transport.media_server.server_options import ServerOptions
from transport.media_server.session_base import PROGRESS_BYTES
from transport.tests.serving import until
from transport.udp.socket import bind

ORIGIN = "http://localhost:8080"
PATIENCE_S = 10.0


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A directory with one segment."""
    (tmp_path / "seg.m4s").write_bytes(bytes(10_000))
    return tmp_path


@asynccontextmanager
async def running(
    film: Path, limits: AdmissionLimits = DEFAULT_LIMITS, *, port: int = 0, reset_key: bytes | None = None
) -> AsyncIterator[MediaServer]:
    """A server on loopback."""
    options = ServerOptions(
        directory=film,
        host="127.0.0.1",
        port=port,
        origins=frozenset({ORIGIN}),
        limits=limits,
        reset_key=reset_key,
    )
    server = await start_server(options)
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield server
    finally:
        await server.stop()


def session(
    server: MediaServer, *, window_bytes: int = RECEIVE_WINDOW_BYTES
) -> AbstractAsyncContextManager[ClientProtocol]:
    """A newcomer."""
    url = f"https://127.0.0.1:{server.port}/v1/cubic"
    return open_session_as(make_client, url, origin=ORIGIN, receiver=Observer(), receive_window_bytes=window_bytes)


def client_connection() -> QuicConnection:
    """A handshake that goes as far as it is driven."""
    return QuicConnection(
        configuration=QuicConfiguration(
            alpn_protocols=H3_ALPN, is_client=True, verify_mode=CERT_NONE, max_datagram_frame_size=65_536
        )
    )


def first_packets(port: int, count: int) -> list[bytes]:
    """Initials of clients that will not go on."""
    packets = []
    for _ in range(count):
        quic = client_connection()
        quic.connect(("127.0.0.1", port), now=0.0)
        packets.append(quic.datagrams_to_send(now=0.0)[0][0])
    return packets


def answers(sock: socket.socket) -> list[bytes]:
    """What has come so far."""
    found = []
    while True:
        try:
            found.append(sock.recv(65_535))
        except BlockingIOError:
            return found


def test_a_wave_of_first_packets_is_sent_back_for_tokens_and_a_newcomer_gets_in(film: Path) -> None:
    async def whole() -> None:
        limits = dataclasses.replace(DEFAULT_LIMITS, handshake_s=2.0)
        async with running(film, limits) as server:
            wave = bind("127.0.0.1", 0)
            admission = server._service.door.admission
            for packet in first_packets(server.port, 100):
                wave.sendto(packet, ("127.0.0.1", server.port))
            await until(lambda: admission.half_open == 32)
            async with session(server) as client:
                assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200
            types = [pull_quic_header(Buffer(data=data), host_cid_length=8).packet_type.name for data in answers(wave)]
            assert types.count("RETRY") == 68
            await until(lambda: admission.half_open == 0)
            wave.close()

    asyncio.run(whole())


def test_a_token_of_somebody_else_is_refused(film: Path) -> None:
    async def whole() -> None:
        async with running(film, dataclasses.replace(DEFAULT_LIMITS, half_open_before_retry=0)) as server:
            one, other = bind("127.0.0.1", 0), bind("127.0.0.1", 0)
            quic = client_connection()
            quic.connect(("127.0.0.1", server.port), now=0.0)
            one.sendto(quic.datagrams_to_send(now=0.0)[0][0], ("127.0.0.1", server.port))
            loop = asyncio.get_running_loop()
            quic.receive_datagram(await loop.sock_recv(one, 65_535), ("127.0.0.1", server.port), now=0.0)
            with_token = quic.datagrams_to_send(now=0.0)[0][0]
            assert pull_quic_header(Buffer(data=with_token), host_cid_length=8).token
            other.sendto(with_token, ("127.0.0.1", server.port))
            assert (
                pull_quic_header(Buffer(data=await loop.sock_recv(other, 65_535)), host_cid_length=8).packet_type.name
                == "INITIAL"
            )  # with INVALID_TOKEN
            assert server._service.door.admission.half_open == 0
            one.sendto(with_token, ("127.0.0.1", server.port))
            await until(lambda: server._service.door.admission.half_open == 1)
            one.close()
            other.close()

    asyncio.run(whole())


def test_a_datagram_has_six_packets_at_most(film: Path) -> None:
    async def whole() -> None:
        async with running(film) as server:
            admission = server._service.door.admission
            first, second = (
                data[: pull_quic_header(Buffer(data=data)).packet_length] for data in first_packets(server.port, 2)
            )
            more = bytes.fromhex("e1 00000001 08 0000000000000000 00 14") + bytes(20)  # of a handshake
            with bind("127.0.0.1", 0) as sock:
                for packets in (first + MOST_PACKETS * more, second + (MOST_PACKETS - 1) * more):
                    sock.sendto(packets.ljust(1200, b"\0"), ("127.0.0.1", server.port))
                await until(lambda: admission.half_open > 0)
                assert admission.half_open == 1

    asyncio.run(whole())


@asynccontextmanager
async def idle_connection(server: MediaServer) -> AsyncIterator[ClientProtocol]:
    """Until it is closed."""
    loop = asyncio.get_running_loop()
    protocol = ClientProtocol(client_connection())
    transport, _ = await loop.create_datagram_endpoint(lambda: protocol, local_addr=("127.0.0.1", 0))
    protocol.connect(("127.0.0.1", server.port))
    try:
        await protocol._handshake
        yield protocol
    finally:
        protocol.close()
        transport.close()


def test_a_connection_without_a_session_is_closed_in_time_and_its_place_is_free(film: Path) -> None:
    async def whole() -> None:
        limits = dataclasses.replace(DEFAULT_LIMITS, session_s=0.3)
        async with running(film, limits) as server, idle_connection(server) as idler:
            admission = server._service.door.admission
            await until(lambda: admission.without_session == 1)
            assert await idler.wait_session_closed() == "no session was opened in time"
            assert (admission.without_session, len(server._server.connections)) == (0, 0)

    asyncio.run(whole())


def test_the_oldest_that_idles_leaves_for_a_newcomer(film: Path) -> None:
    async def whole() -> None:
        limits = dataclasses.replace(DEFAULT_LIMITS, without_session=RoomLimits(total=2, per_prefix=2))
        async with (
            running(film, limits) as server,
            idle_connection(server) as oldest,
            idle_connection(server) as other,
            session(server) as client,
        ):
            assert await oldest.wait_session_closed() == "a newcomer needed the place"
            assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200
            assert not other._closed.is_set()

    asyncio.run(whole())


def test_more_sessions_of_an_address_than_it_may_have_are_refused_with_429(film: Path) -> None:
    async def whole() -> None:
        limits = dataclasses.replace(DEFAULT_LIMITS, sessions=RoomLimits(total=4, per_prefix=1))
        async with running(film, limits) as server:
            async with session(server):
                with pytest.raises(SessionClosedError, match="status 429"):
                    async with session(server):
                        pass
            await until(lambda: server._service.door.admission.sessions == 0)
            async with session(server):
                assert server._service.door.admission.sessions == 1

    asyncio.run(whole())


@pytest.mark.parametrize("is_closed_here", [False, True])
def test_a_connection_that_either_side_closes_gives_its_place_back_however_late_its_client_says_it_answers(
    film: Path, is_closed_here: bool
) -> None:
    async def whole() -> None:
        async with running(film) as server, session(server) as client:
            (protocol,) = server._server.connections
            protocol.connection.quic._loss.max_ack_delay = 16.383  # as its client may announce
            if is_closed_here:
                protocol.close()
            else:
                client.close()
            await until(lambda: server._service.door.admission.connections == 0)

    asyncio.run(whole())


ONE_SESSION = dataclasses.replace(DEFAULT_LIMITS, sessions=RoomLimits(total=1, per_prefix=1))


def long_ago(server: MediaServer) -> float:
    """As if the only session had not got on since; when it would have, then."""
    (only,) = server._service.sessions
    only.moved_s -= 2 * ONE_SESSION.session_idle_s
    return only.moved_s


def test_a_session_that_idles_ends_for_a_newcomer_and_is_told_why(film: Path) -> None:
    async def whole() -> None:
        async with running(film, ONE_SESSION) as server, session(server) as idler:
            await idler.download("seg.m4s", on_data=lambda data: None)
            with pytest.raises(SessionClosedError, match="status 429"):
                async with session(server):
                    pass
            long_ago(server)
            async with session(server) as client:
                assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200
                with pytest.raises(SessionClosedError, match=r"needed the place.*code 8"):
                    await idler.download("seg.m4s", on_data=lambda data: None)
            await until(lambda: server._service.door.admission.sessions == 0)

    asyncio.run(whole())


def test_a_session_whose_responses_get_on_keeps_its_place(film: Path) -> None:
    async def whole() -> None:
        async with running(film, ONE_SESSION) as server, session(server) as client:
            slow = asyncio.get_running_loop().create_task(
                client.download("generated/1000000000", on_data=lambda data: None)
            )
            await until(lambda: bool(server._service.sessions))
            moved_s = long_ago(server)
            await until(lambda: next(iter(server._service.sessions)).moved_s > moved_s)
            with pytest.raises(SessionClosedError, match="status 429"):
                async with session(server):
                    pass
            assert not slow.done()
            slow.cancel()

    asyncio.run(whole())


def test_a_session_that_is_sent_little_has_not_got_on(film: Path) -> None:
    async def whole() -> None:
        async with running(film, ONE_SESSION) as server, session(server) as client:
            moved_s = long_ago(server)
            (only,) = server._service.sessions
            for _ in range(3):
                await client.download(f"generated/{PROGRESS_BYTES // 4}", on_data=lambda data: None)
            assert only.moved_s == moved_s
            await client.download(f"generated/{PROGRESS_BYTES}", on_data=lambda data: None)
            await until(lambda: only.moved_s > moved_s)

    asyncio.run(whole())


def test_a_session_whose_client_reads_nothing_idles(film: Path) -> None:
    async def whole() -> None:
        limits = dataclasses.replace(ONE_SESSION, session_idle_s=0.3)
        async with running(film, limits) as server, session(server, window_bytes=2**17) as client:
            client._quic._write_connection_limits = lambda **_: None  # type: ignore[method-assign]
            client._quic._write_stream_limits = lambda **_: None  # type: ignore[method-assign]
            slow = asyncio.get_running_loop().create_task(
                client.download("generated/1000000000", on_data=lambda data: None)
            )
            (protocol,) = server._server.connections
            await until(lambda: protocol.idle_since_s is not None)
            await until(lambda: asyncio.get_running_loop().time() - (protocol.idle_since_s or 0.0) > 0.3)
            async with session(server):
                with pytest.raises(SessionClosedError):
                    await slow

    asyncio.run(whole())


def test_a_server_sees_whether_newcomers_get_in_and_counts_itself_for_nobody(film: Path) -> None:
    async def whole() -> None:
        limits = dataclasses.replace(DEFAULT_LIMITS, sessions=RoomLimits(total=1, per_prefix=1))
        async with running(film, limits) as server:
            url = f"https://127.0.0.1:{server.port}"
            results: asyncio.Queue[SelfCheckResult] = asyncio.Queue()
            server.check_itself(url, origin=ORIGIN, observer=results.put_nowait)
            assert (await results.get()).can_enter
            assert (server._service.door.admission.sessions, len(server._service.sessions)) == (0, 0)
            async with session(server):
                assert (await server._service.self_check.check(url, origin=ORIGIN)).can_enter  # it takes no place
            with pytest.raises(SessionClosedError, match="status 404"):
                async with open_session(f"{url}/v1/self-check/guess", origin=ORIGIN, receiver=Observer()):
                    pass
            await server.stop()
            assert not (await server._service.self_check.check(url, origin=ORIGIN)).can_enter

    asyncio.run(whole())


@pytest.mark.parametrize("is_dismissed", [False, True])
def test_nothing_is_left_of_a_connection_that_has_ended(film: Path, is_dismissed: bool) -> None:
    async def whole() -> None:
        gc.collect()
        gc.disable()
        try:
            async with running(film) as server:
                async with session(server) as client:
                    await client.download("seg.m4s", on_data=lambda data: None)
                    (protocol,) = server._server.connections
                    parts = [weakref.ref(part) for part in (protocol, protocol.connection, protocol.connection.quic)]
                    if is_dismissed:
                        protocol.dismiss("for a test")
                        await client.wait_session_closed()
                    del protocol
                await until(lambda: not server._server.connections)
                await until(lambda: all(part() is None for part in parts))
        finally:
            gc.enable()

    asyncio.run(whole())


@pytest.mark.parametrize("has_same_key", [True, False])
def test_a_successor_on_the_same_port_resets_what_it_does_not_know(film: Path, has_same_key: bool) -> None:
    async def whole() -> None:
        key, other_key = bytes(KEY_BYTES), bytes([1] * KEY_BYTES)
        relay = bind("127.0.0.1", 0)
        loop = asyncio.get_running_loop()
        async with running(film, reset_key=key) as first:
            port = first.port
            async with session(first) as client:
                (protocol,) = first._server.connections
                connection_id = protocol.connection.quic.host_cid
                promised = {client._quic._peer_cid.stateless_reset_token}
                promised |= {spare.stateless_reset_token for spare in client._quic._peer_cid_available}
                assert len(promised) > 1
        async with running(film, port=port, reset_key=key if has_same_key else other_key):
            relay.sendto(bytes([0x40]) + connection_id + bytes(50), ("127.0.0.1", port))
            reset = await loop.sock_recv(relay, 65_535)
            assert len(reset) < 59
            assert (reset[-16:] in promised) == has_same_key
        relay.close()

    asyncio.run(whole())
