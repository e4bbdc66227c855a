"""A server and a client over real sockets on loopback."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import datetime
import errno
import itertools
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from aioquic.h3.connection import H3Connection
from aioquic.h3.events import Headers
from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.quic.packet import QuicErrorCode
from cryptography.hazmat.primitives import hashes

from cc.core.receiver_base import Stamp
from cc.receiver.nuwa import Nuwa
from cc.receiver.observer import Observer
from cc.receiver.presets import preset
from cc.registry import SCHEMES, scheme
from cc.sender.newreno import NewReno
from transport.aioquic_adapter.peer_limits import PEER_DATA_WINDOW_BYTES, PEER_STREAM_LIMIT_BYTES
from transport.aioquic_adapter.size_search import MOST_BYTES
from transport.headless.client import ClientProtocol, SessionClosedError, open_session
from transport.headless.receive import ReceiveOptions, receive
from transport.media_server.certificate import hashes_of
from transport.media_server.certificate_command import keep_certificate
from transport.media_server.certificate_files import CertificatePaths
from transport.media_server.content import ServedFolder
from transport.media_server.downloads import MAX_OPEN_REQUESTS
from transport.media_server.rate_limits import RateLimits
from transport.media_server.server import ServerOptions, connection_generators, start_server
from transport.media_server.session_key import SessionKey
from transport.udp.socket import bind
from transport.wire_format.session_token import make_token
from transport.wire_format.wire import encode_ping

ORIGIN = "http://localhost:8080"
SEGMENT = bytes(range(256)) * 1000
TIME_LIMIT_S = 20.0


def options_for(
    directory: Path, qlog_directory: Path | None = None, session_rate_mbit: float | None = None
) -> ServerOptions:
    """A server on loopback."""
    return ServerOptions(
        directory=directory,
        host="127.0.0.1",
        port=0,
        origins=frozenset({ORIGIN}),
        qlog_directory=qlog_directory,
        rate_limits=RateLimits(session_mbit=session_rate_mbit),
    )


@asynccontextmanager
async def running_server(directory: Path, qlog_directory: Path | None = None) -> AsyncIterator[str]:
    """A server's address."""
    server = await start_server(options_for(directory, qlog_directory))
    try:
        yield f"https://127.0.0.1:{server.port}"
    finally:
        await server.stop()


def run(scenario: Awaitable[None]) -> None:
    """Run to the end, or fail after a time no scenario needs."""

    async def limited() -> None:
        async with asyncio.timeout(TIME_LIMIT_S):
            await scenario

    asyncio.run(limited())


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A directory with one segment."""
    directory = tmp_path / "film"
    directory.mkdir()
    (directory / "seg.m4s").write_bytes(SEGMENT)
    return directory


def with_session(
    film: Path, scenario: Callable[[ClientProtocol], Awaitable[None]], *, path: str = "/v1/cubic", origin: str = ORIGIN
) -> None:
    """Run a scenario in a session."""

    async def whole() -> None:
        async with (
            running_server(film) as url,
            open_session(url + path, origin=origin, receiver=Observer()) as client,
        ):
            await scenario(client)

    run(whole())


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
            with pytest.raises(SessionClosedError, match="reset the stream"):
                await client.download("seg.m4s", on_data=lambda data: None)
        assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200

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


REQUEST = b'{"path": "seg.m4s"}\n'


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


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://localhost:8081",
        "https://localhost:8080",
        "http://localhost:8080.evil.example",
        "HTTP://LOCALHOST:8080",
    ],
)
def test_other_origins_are_refused_with_403(film: Path, origin: str) -> None:
    async def scenario(client: ClientProtocol) -> None:
        raise AssertionError("the session was opened")

    with pytest.raises(SessionClosedError, match="403"):
        with_session(film, scenario, origin=origin)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/v2/nuwa", "version 2 is not spoken here"),
        ("/v1/bogus", "known schemes: nuwa"),
        ("/v1/nuwa?k=99", "k must be"),
    ],
)
def test_refused_sessions_are_told_why(film: Path, path: str, reason: str) -> None:
    async def scenario(client: ClientProtocol) -> None:
        assert reason in await client.wait_session_closed()

    with_session(film, scenario, path=path)


def test_with_a_key_sessions_take_a_token_of_it(film: Path) -> None:
    key = b"k" * 32

    async def scenario() -> None:
        server = await start_server(replace(options_for(film), session_key=SessionKey(key, lambda: 1000.0)))
        url = f"https://127.0.0.1:{server.port}/v1/cubic"
        try:
            for token, reason in (
                ("", "none was given"),
                (f"?token={make_token(b'other key' * 9, expires_s=2000)}", "not of this server's key"),
                (f"?token={make_token(key, expires_s=990)}", "expired 10 s ago"),
            ):
                async with open_session(url + token, origin=ORIGIN, receiver=Observer()) as client:
                    assert reason in await client.wait_session_closed()
            good = f"?token={make_token(key, expires_s=1001)}"
            async with open_session(url + good, origin=ORIGIN, receiver=Observer()) as client:
                body = bytearray()
                assert (await client.download("seg.m4s", on_data=body.extend))["status"] == 200
                assert body == SEGMENT
        finally:
            await server.stop()

    run(scenario())


def test_a_path_that_is_no_session_is_404(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        raise AssertionError("the session was opened")

    with pytest.raises(SessionClosedError, match="404"):
        with_session(film, scenario, path="/chat")


def test_too_many_malformed_datagrams_close_the_session(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        for _ in range(60):
            client.send_raw_datagram(b"nonsense")
        assert "malformed datagrams" in await client.wait_session_closed()

    with_session(film, scenario, path="/v1/nuwa")


def test_a_few_malformed_datagrams_do_not(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        for length in (0, 1, 33, 34, 35, 1000):
            client.send_raw_datagram(bytes(length))
        assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200

    with_session(film, scenario, path="/v1/nuwa")


def test_an_acknowledgement_of_what_was_never_sent_ends_the_connection(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        space = client._quic._loss.spaces[-1]
        space.ack_queue.add(1_000_000, 1_000_001)
        space.ack_at = 0.0
        client.transmit()
        assert "never sent" in await client.wait_session_closed()
        event = client._quic._close_event
        assert event is not None
        assert event.error_code == QuicErrorCode.PROTOCOL_VIOLATION

    with_session(film, scenario)


def test_stamps_lead_flights_and_count_up(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        stamps: list[Stamp] = []
        client.stamp_observer = lambda stamp, received_time_s: stamps.append(stamp)
        await client.download("generated/3000000", on_data=lambda data: None)
        assert len(stamps) >= 10
        for earlier, later in itertools.pairwise(stamps):
            assert later.sequence > earlier.sequence
            assert later.send_time_s > earlier.send_time_s
            assert later.bytes_sent > earlier.bytes_sent
            assert later.packets_sent > earlier.packets_sent
        assert stamps[-1].smoothed_rtt_s is not None
        assert {stamp.max_datagram_bytes for stamp in stamps} == {MOST_BYTES}

    with_session(film, scenario)


def test_a_ping_is_answered_at_once_also_where_nothing_is_being_sent(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        for sequence in (0, 1, 2**32 - 1):
            answered: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            client.pong_observer = answered.set_result
            client.send_raw_datagram(encode_ping(sequence))
            assert await answered == sequence

    with_session(film, scenario, path="/v1/nuwa")


def test_pings_among_a_download_are_answered_and_leave_the_stamps_as_they_are(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        stamps: list[Stamp] = []
        pongs: list[int] = []

        def ping_back(stamp: Stamp, received_time_s: float) -> None:
            stamps.append(stamp)
            client.send_raw_datagram(encode_ping(stamp.sequence))

        client.stamp_observer = ping_back
        client.pong_observer = pongs.append
        await client.download("generated/12000000", on_data=lambda data: None)
        assert len(pongs) > 10
        assert set(pongs) <= {stamp.sequence for stamp in stamps}
        assert client.malformed_datagrams == 0
        assert len(stamps) > 0.9 * stamps[-1].sequence

    with_session(film, scenario, path="/v1/nuwa")


class CuttableLink(asyncio.DatagramProtocol):
    """Forwards datagrams between one client and a server, or loses all of them."""

    def __init__(self, server_port: int) -> None:
        self.is_cut = False
        self._server = ("127.0.0.1", server_port)
        self._client: NetworkAddress | None = None
        self.transport: asyncio.DatagramTransport | None = None

    def datagram_received(self, data: bytes, addr: NetworkAddress) -> None:
        assert self.transport is not None
        if addr != self._server:
            self._client = addr
        if not self.is_cut:
            self.transport.sendto(data, self._client if addr == self._server else self._server)


@asynccontextmanager
async def cuttable_link(server_port: int) -> AsyncIterator[tuple[CuttableLink, str]]:
    """A link to a server, and the server's address through it."""
    transport, link = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: CuttableLink(server_port), local_addr=("127.0.0.1", 0)
    )
    link.transport = transport
    try:
        yield link, f"https://127.0.0.1:{transport.get_extra_info('sockname')[1]}"
    finally:
        transport.close()


def test_the_first_ping_after_an_outage_is_answered_long_before_the_probe_timeout(film: Path) -> None:
    async def whole() -> None:
        loop = asyncio.get_running_loop()
        server = await start_server(options_for(film))
        async with (
            cuttable_link(server.port) as (link, url),
            open_session(f"{url}/v1/nuwa", origin=ORIGIN, receiver=Observer()) as client,
        ):
            arrived = asyncio.Event()
            download = asyncio.create_task(client.download("generated/1000000000", on_data=lambda data: arrived.set()))
            await arrived.wait()
            link.is_cut = True
            (protocol,) = server._server.connections
            recovery = protocol.connection.quic._loss
            while recovery._pto_count < 6:
                await asyncio.sleep(0.01)
            timeout_at_s = recovery.get_loss_detection_time(amplification_limited=False)
            assert timeout_at_s is not None
            backed_off_s = timeout_at_s - loop.time()
            link.is_cut = False
            arrived.clear()
            answered: asyncio.Future[int] = loop.create_future()
            client.pong_observer = answered.set_result
            asked_s = loop.time()
            client.send_raw_datagram(encode_ping(7))
            assert await answered == 7
            await arrived.wait()
            assert loop.time() - asked_s < backed_off_s / 4
            download.cancel()
        await server.stop()

    run(whole())


def test_pings_that_are_malformed_close_the_session_in_the_end(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        for _ in range(60):
            client.send_raw_datagram(encode_ping(1) + b"x")
        assert "a ping has 8 bytes, not 9" in await client.wait_session_closed()

    with_session(film, scenario, path="/v1/nuwa")


def test_a_session_may_be_asked_for_by_the_name_that_draft_15_gave_it(
    film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_headers = H3Connection.send_headers

    def send_newer(http: H3Connection, stream_id: int, headers: Headers, end_stream: bool = False) -> None:
        newer = [(name, b"webtransport-h3" if name == b":protocol" else value) for name, value in headers]
        send_headers(http, stream_id, newer, end_stream)

    monkeypatch.setattr(H3Connection, "send_headers", send_newer)

    async def whole() -> None:
        async with (
            running_server(film) as url,
            open_session(url + "/v1/cubic", origin=ORIGIN, receiver=Observer()) as client,
        ):
            assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200

    run(whole())


def test_a_new_certificate_is_for_new_sessions_and_old_ones_go_on(film: Path) -> None:
    def certificate_seen_by(client: ClientProtocol) -> str:
        seen = client._quic.tls._peer_certificate
        assert seen is not None
        return base64.b64encode(seen.fingerprint(hashes.SHA256())).decode()

    async def whole() -> None:
        server = await start_server(options_for(film))
        url = f"https://127.0.0.1:{server.port}/v1/cubic"
        announced: list[list[str]] = []
        server.on_certificates = lambda all_of_them: announced.append([each.sha256_base64 for each in all_of_them])
        async with open_session(url, origin=ORIGIN, receiver=Observer()) as old:
            server.rotate_certificate()
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as new:
                assert announced == [[certificate_seen_by(new), certificate_seen_by(old)]]
                for client in (old, new):
                    assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200
        await server.stop()

    run(whole())


def test_a_certificate_from_files_is_replaced_when_they_change_and_sessions_go_on(film: Path, tmp_path: Path) -> None:
    async def whole() -> None:
        now = datetime.datetime.now(datetime.UTC)
        paths = CertificatePaths(tmp_path / "certificate.pem", tmp_path / "key.pem")
        keep_certificate(paths, ["demo.example"], now=now)
        server = await start_server(dataclasses.replace(options_for(film), certificate_files=paths))
        url = f"https://127.0.0.1:{server.port}/v1/cubic"
        async with open_session(url, origin=ORIGIN, receiver=Observer()) as old:
            keep_certificate(paths, ["new.example"], now=now)
            server.rotate_certificate()
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as new:
                seen = [client._quic.tls._peer_certificate for client in (old, new)]
                assert seen[0] != seen[1] == server.certificates[0].certificate
                assert hashes_of(server.certificates) == []
                for client in (old, new):
                    assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200
        await server.stop()

    run(whole())


def test_a_certificate_near_its_end_is_replaced_by_the_running_server(film: Path) -> None:
    async def whole() -> None:
        now = datetime.datetime.now(datetime.UTC)
        lifetime = datetime.timedelta(seconds=3)
        options = dataclasses.replace(options_for(film), certificate_lifetime=lifetime)
        server = await start_server(options, clock=lambda: now)
        (first,) = server.certificates
        changed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        server.on_certificates = lambda certificates: changed.set_result(len(certificates))
        now += lifetime * 2 / 3
        assert await changed == 2
        assert server.certificates[1] == first
        await server.stop()

    run(whole())


def test_nuwas_window_is_the_one_that_the_server_uses(film: Path) -> None:
    receiver = Nuwa(preset("on-demand").parameters)

    async def whole() -> None:
        async with (
            running_server(film) as url,
            open_session(url + "/v1/nuwa", origin=ORIGIN, receiver=receiver) as client,
        ):
            pairs: list[tuple[int, int | None]] = []
            client.stamp_observer = lambda stamp, now_s: pairs.append(
                (stamp.cwnd_bytes, receiver.state(now_s=now_s).window_bytes)
            )
            await client.download("generated/10000000", on_data=lambda data: None)
            asked = {window for _, window in pairs}
            followed = [cwnd for cwnd, _ in pairs if cwnd in asked]
            assert len(followed) > len(pairs) / 4

    run(whole())


def test_the_headless_receiver_reports_what_it_measured(film: Path) -> None:
    async def whole() -> None:
        async with running_server(film) as url:
            report = await receive(
                ReceiveOptions(
                    url=url,
                    origin=ORIGIN,
                    scheme=scheme("nuwa"),
                    preset=preset("on-demand"),
                    seconds=1.0,
                    interval_s=0.25,
                )
            )
        assert report.received_bytes > 100_000
        assert report.throughput_bits_per_s == pytest.approx(8 * report.received_bytes / report.seconds)
        assert report.queueing_delay_p95_s is not None
        assert report.stamps_received > 10
        assert report.intervals is not None
        assert len(report.intervals.received_bytes) == 4
        assert 0 < sum(report.intervals.received_bytes) < sum(report.intervals.payload_bytes)
        assert report.intervals.cwnd_bytes[-1] is not None
        assert json.loads(json.dumps(report.as_json()))["scheme"] == "nuwa"
        assert "throughput" in report.as_text()

    run(whole())


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


def test_where_nobody_answers_the_client_says_so() -> None:
    async def whole() -> None:
        silent = bind("127.0.0.1", 0)
        try:
            url = f"https://127.0.0.1:{silent.getsockname()[1]}/v1/cubic"
            async with open_session(url, origin=ORIGIN, receiver=Observer()):
                raise AssertionError("the session was opened")
        finally:
            silent.close()

    with pytest.raises(ConnectionError, match="no media server answered"):
        run(whole())


def test_a_seed_repeats_each_connections_random_numbers() -> None:
    first, again, other = (connection_generators(seed) for seed in (7, 7, 8))
    drawn = [first().random() for _ in range(2)]
    assert drawn == [random.Random("7 flow 0").random(), random.Random("7 flow 1").random()]
    assert [again().random() for _ in range(2)] == drawn
    assert other().random() not in drawn
    unseeded = connection_generators(None)
    assert unseeded().random() != unseeded().random()


def test_a_connections_scheme_gets_the_seeded_generator(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    class Recorded(NewReno):
        def __init__(self, *, max_datagram_bytes: int, rng: random.Random) -> None:
            given.append(rng.getstate())
            super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)

    monkeypatch.setattr("transport.media_server.media_protocol.NewReno", Recorded)

    async def scenario() -> None:
        server = await start_server(dataclasses.replace(options_for(film), seed=7))
        try:
            url = f"https://127.0.0.1:{server.port}/v1/cubic"
            async with open_session(url, origin=ORIGIN, receiver=Observer()):
                assert given == [random.Random("7 flow 0").getstate()]
        finally:
            await server.stop()

    run(scenario())
