"""Plain GETs: their fields, and a download over HTTP/3 alone that is told of its path."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from pathlib import Path
from ssl import CERT_NONE

import pytest
from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3_ALPN, H3Connection, H3Stream
from aioquic.h3.events import DataReceived, H3Event, Headers, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import QuicEvent

from cc.receiver.observer import Observer
from transport.headless.client import open_session
from transport.media_server import media_protocol
from transport.media_server.admission.limits import AdmissionLimits, RoomLimits
from transport.media_server.plain_scheme import plain_scheme
from transport.media_server.server import start_server
from transport.media_server.server_options import ServerOptions
from transport.relay.settings import LinkSettings
from transport.tests.serving import behind_link
from transport.wire_format.plain_requests import PlainRequest, cmsd_dynamic, parse_plain_request
from transport.wire_format.requests import MalformedRequestError

ORIGIN = "http://localhost:8080"
SEGMENT = bytes(range(256)) * 2000
TIME_LIMIT_S = 20.0


class HeadAware(H3Connection):
    """aioquic's misses the body of an answer to HEAD (RFC 9110 section 9.3.2)."""

    def __init__(self, quic: QuicConnection) -> None:
        super().__init__(quic)
        self.heads: set[int] = set()
        """Streams with a HEAD."""

    def _check_content_length(self, stream: H3Stream) -> None:
        if stream.stream_id not in self.heads:
            super()._check_content_length(stream)


class PlainClient(QuicConnectionProtocol):
    """GETs over HTTP/3."""

    def __init__(self, *args: object, **named: object) -> None:
        super().__init__(*args, **named)  # type: ignore[arg-type]
        self._http = HeadAware(self._quic)
        self._answers: dict[int, tuple[dict[bytes, bytes], bytearray, asyncio.Future[None]]] = {}

    async def get(self, path: str, *fields: tuple[bytes, bytes], method: bytes = b"GET") -> tuple[Headers, bytes]:
        """The answer's fields and body."""
        stream_id = self._quic.get_next_available_stream_id()
        done: asyncio.Future[None] = self._loop.create_future()
        self._answers[stream_id] = ({}, bytearray(), done)
        head = [(b":method", method), (b":scheme", b"https"), (b":authority", b"a"), (b":path", path.encode())]
        if method == b"HEAD":
            self._http.heads.add(stream_id)
        self._http.send_headers(stream_id, [*head, *fields], end_stream=True)
        self.transmit()
        await done
        answer, body, _ = self._answers[stream_id]
        return list(answer.items()), bytes(body)

    def quic_event_received(self, event: QuicEvent) -> None:
        for http_event in self._http.handle_event(event):
            self._take(http_event)

    def _take(self, event: H3Event) -> None:
        if isinstance(event, HeadersReceived | DataReceived):
            fields, body, done = self._answers[event.stream_id]
            if isinstance(event, HeadersReceived):
                fields.update(event.headers)
            else:
                body += event.data
            if event.stream_ended:
                done.set_result(None)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A folder with a segment."""
    (tmp_path / "manifest.mpd").write_text("<MPD/>")
    (tmp_path / "seg 1.m4s").write_bytes(SEGMENT)
    return tmp_path


def _options(folder: Path, scheme: str | None) -> ServerOptions:
    options = ServerOptions(directory=folder, host="127.0.0.1", port=0, origins=frozenset({ORIGIN}))
    return dataclasses.replace(options, plain_scheme=None if scheme is None else plain_scheme(scheme))


@asynccontextmanager
async def _client(port: int) -> AsyncIterator[PlainClient]:
    configuration = QuicConfiguration(is_client=True, alpn_protocols=H3_ALPN, verify_mode=CERT_NONE)
    async with (
        asyncio.timeout(TIME_LIMIT_S),
        connect("127.0.0.1", port, configuration=configuration, create_protocol=PlainClient) as client,
    ):
        assert isinstance(client, PlainClient)
        yield client


async def _with_client(folder: Path, scheme: str | None, use: str) -> None:
    server = await start_server(_options(folder, scheme))
    link = LinkSettings("48mbit", delay_ms=5)  # loopback is seldom full: then nothing is known of what it carries
    try:
        async with behind_link(server.port, link) as (_, port), _client(port) as client:
            await USES[use](client)
    finally:
        await server.stop()


async def _downloads(client: PlainClient) -> None:
    fields, body = await client.get("/seg%201.m4s?CMCD=br%3D1", (b"origin", ORIGIN.encode()))
    first = dict(fields)
    assert (first[b":status"], body) == (b"200", SEGMENT)
    assert first[b"content-length"] == str(len(SEGMENT)).encode()
    assert first[b"access-control-allow-origin"] == ORIGIN.encode()
    assert re.fullmatch(rb'"nuwa-stream";rtt=\d+', first[b"cmsd-dynamic"])  # nothing was measured yet
    fields, body = await client.get("/generated/3000000")
    assert len(body) == 3_000_000
    fields, body = await client.get("/seg%201.m4s", (b"range", b"bytes=256-511"))
    later = dict(fields)
    assert (later[b":status"], body) == (b"206", SEGMENT[256:512])
    assert later[b"accept-ranges"] == b"bytes"
    assert abs(parsedate_to_datetime(later[b"date"].decode()).timestamp() - time.time()) < TIME_LIMIT_S
    assert later[b"content-range"] == f"bytes 256-511/{len(SEGMENT)}".encode()
    told = re.fullmatch(rb'"nuwa-stream";etp=(\d+);rtt=\d+', later[b"cmsd-dynamic"])
    assert told is not None
    assert 1_000 < int(told[1]) < 60_000  # kbit/s; the link carries 48,000, and a busy machine much less


async def _is_refused(client: PlainClient) -> None:
    async def status(path: str, *fields: tuple[bytes, bytes], method: bytes = b"GET") -> bytes:
        answer, _ = await client.get(path, *fields, method=method)
        return dict(answer)[b":status"]

    assert await status("/seg%201.m4s", (b"origin", b"https://elsewhere.example")) == b"403"
    assert await status("/nothing.m4s") == b"404"
    assert await status("/api/config") == b"421", "who came by Alt-Svc asks the origin itself"
    for of_no_film in ("/", "/films/", "/.well-known/assetlinks.json", "/../secret", "/a//seg.m4s"):
        assert await status(of_no_film) == b"421", of_no_film
    assert await status("/%ff") == b"400"
    assert await status("/seg%201.m4s", method=b"POST") == b"405"
    answer, _ = await client.get("/seg%201.m4s", (b"range", b"bytes=999999999-"), (b"origin", ORIGIN.encode()))
    beyond = dict(answer)
    assert (beyond[b":status"], beyond[b"content-range"]) == (b"416", f"bytes */{len(SEGMENT)}".encode())
    assert beyond[b"access-control-allow-origin"] == ORIGIN.encode()
    assert {b"Date", b"CMSD-Dynamic"} <= set(beyond[b"access-control-expose-headers"].split(b", "))
    assert b"date" in beyond


async def _asks_first(client: PlainClient) -> None:
    own = (b"origin", ORIGIN.encode())
    answer, _ = await client.get("/seg%201.m4s", own, method=b"OPTIONS")
    allowed = dict(answer)
    assert (allowed[b":status"], allowed[b"access-control-allow-origin"]) == (b"204", ORIGIN.encode())
    assert b"HEAD" in allowed[b"access-control-allow-methods"]
    assert {b"date", b"access-control-allow-headers", b"access-control-max-age"} <= allowed.keys()
    answer, _ = await client.get("/seg%201.m4s", (b"origin", b"https://elsewhere.example"), method=b"OPTIONS")
    assert b"access-control-allow-origin" not in dict(answer)
    answer, _ = await client.get("/seg%201.m4s", method=b"OPTIONS")
    assert dict(answer)[b"allow"] == b"GET, HEAD, OPTIONS"


async def _asks_for_heads(client: PlainClient) -> None:
    for fields in ([(b"origin", ORIGIN.encode())], [(b"range", b"bytes=0-9")]):
        answer, body = await client.get("/seg%201.m4s", *fields, method=b"HEAD")
        head = dict(answer)
        assert (head[b":status"], body) == (b"200", b"")
        assert head[b"content-length"] == str(len(SEGMENT)).encode()
        assert head[b"content-type"] == b"video/iso.segment"
    assert len((await client.get("/seg%201.m4s"))[1]) == len(SEGMENT)


async def _finds_nothing(client: PlainClient) -> None:
    answer, _ = await client.get("/seg%201.m4s")
    assert dict(answer)[b":status"] == b"404"


USES = {
    "downloads": _downloads,
    "is refused": _is_refused,
    "asks first": _asks_first,
    "asks for heads": _asks_for_heads,
    "finds nothing": _finds_nothing,
}


@pytest.mark.parametrize(
    ("scheme", "use"),
    [
        ("cubic", "downloads"),
        ("bbr", "is refused"),
        ("bbr", "asks first"),
        ("bbr", "asks for heads"),
        (None, "finds nothing"),
    ],
)
def test_any_client_of_http_3(film: Path, scheme: str | None, use: str) -> None:
    asyncio.run(_with_client(film, scheme, use))


def test_plain_gets_leave_room_for_sessions(film: Path) -> None:
    limits = AdmissionLimits(plain=RoomLimits(total=1, per_prefix=1))

    async def whole() -> None:
        server = await start_server(dataclasses.replace(_options(film, "cubic"), limits=limits))
        url = f"https://127.0.0.1:{server.port}/v1/cubic"
        try:
            async with _client(server.port) as first, _client(server.port) as second:
                assert dict((await first.get("/generated/1000"))[0])[b":status"] == b"200"
                refused = dict((await second.get("/generated/1000", (b"origin", ORIGIN.encode())))[0])
                assert (refused[b":status"], refused[b"access-control-allow-origin"]) == (b"503", ORIGIN.encode())
                assert b"retry-after" in refused
                async with open_session(url, origin=ORIGIN, receiver=Observer()) as session:
                    await session.download("generated/1000", on_data=lambda data: None)
        finally:
            await server.stop()

    asyncio.run(whole())


def test_who_idled_and_has_no_place_any_more_is_told_so(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = AdmissionLimits(plain=RoomLimits(total=1, per_prefix=1), session_idle_s=0.0)
    monkeypatch.setattr(media_protocol, "CLOSING_GRACE_S", TIME_LIMIT_S)

    async def whole() -> None:
        server = await start_server(dataclasses.replace(_options(film, "cubic"), limits=limits))
        try:
            async with _client(server.port) as first, _client(server.port) as second:
                for each in (first, second):
                    assert dict((await each.get("/generated/1000"))[0])[b":status"] == b"200"
                late = dict((await first.get("/generated/1000"))[0])
                assert (late[b":status"], b"retry-after" in late) == (b"503", True)
        finally:
            await server.stop()

    asyncio.run(whole())


@pytest.mark.parametrize("name", ["nuwa", "owl", "nonsense"])
def test_a_scheme_that_needs_more_than_the_sender_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"called '{name}'; known: .*cubic"):
        plain_scheme(name)


def test_a_request_is_read_from_its_fields() -> None:
    fields = [(b":path", b"/v/a%20b.m4s?x=1"), (b"range", b"bytes=5-"), (b"priority", b"i, u=1")]
    assert parse_plain_request(fields) == PlainRequest("v/a b.m4s", 5, None, is_partial=True, is_head=False, urgency=1)
    for ignored in (b"bytes=-5", b"bytes=5-2", b"lines=1-2"):
        assert parse_plain_request([(b":path", b"/a"), (b"range", ignored)]).is_partial is False
    assert parse_plain_request([(b":path", b"/a"), (b"range", b"Bytes=2-5")]).last_byte == 5
    rest = [(b":path", b"/a"), (b"range", b"bytes=2-5"), (b"if-range", b'"of-the-web-server"')]
    assert parse_plain_request(rest).is_partial is False
    with pytest.raises(MalformedRequestError):
        parse_plain_request([(b":path", b"/%ff")])


def test_cmsd_says_what_is_known() -> None:
    assert cmsd_dynamic(throughput_bytes_per_s=562_500, rtt_s=0.0404) == [
        (b"cmsd-dynamic", b'"nuwa-stream";etp=4500;rtt=40')
    ]
    assert cmsd_dynamic(throughput_bytes_per_s=None, rtt_s=None) == []
