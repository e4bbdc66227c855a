"""A WebTransport client of the media server: the headless twin of the browser's receiver worker."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from ssl import CERT_NONE
from typing import Any, TypeVar
from urllib.parse import urlsplit

from aioquic.asyncio.protocol import QuicStreamHandler
from aioquic.h3.connection import H3_ALPN
from aioquic.h3.events import DatagramReceived, DataReceived, H3Event, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.quic.events import (
    ConnectionTerminated,
    HandshakeCompleted,
    ProtocolNegotiated,
    QuicEvent,
    StreamDataReceived,
    StreamReset,
)

from cc.core.receiver_base import Feedback, ReceiverScheme, Stamp
from cc.receiver.feedback_interval import feedback_interval_s
from transport.aioquic_adapter.client_acks import acknowledge_as_chromium
from transport.aioquic_adapter.client_arrival import ArrivalProtocol
from transport.aioquic_adapter.client_limits import ClientHttp, hold_window
from transport.aioquic_adapter.client_marks import ClientMarks
from transport.aioquic_adapter.close_reasons import cut_reasons
from transport.headless.client_downloads import (
    ClientDownloads,
    Download,
    MalformedResponseError,
    printable,
)
from transport.headless.client_endpoint import open_endpoint
from transport.udp.marking import CodePoint
from transport.udp.socket import bind
from transport.wire_format.capsules import CapsuleError, CapsuleReader
from transport.wire_format.stream_codes import StreamCode, application_code, webtransport_code
from transport.wire_format.wire import MalformedDatagramError, decode_pong, decode_stamp, encode_feedback, is_pong

OPENING_TIME_LIMIT_S = 5.0
CLOSING_TIME_LIMIT_S = 0.5
"""QUIC closes for three probe timeouts (RFC 9000 section 10.2), half a minute behind a queue of seconds."""
RECEIVE_WINDOW_BYTES = 16 * 2**20
MAX_DATAGRAM_FRAME_BYTES = 65_536
WHY_REFUSED = {
    "403": ": its --origin names other pages than the one that --origin claims here",
    "404": ": it opens none at that path",
    "429": ": it has no place for another session of this address",
}
"""By HTTP status, as in transport/wire_format/PROTOCOL.md."""


class MalformedUrlError(ValueError):
    """A server's address that is not of the form https://HOST:PORT/v1/SCHEME."""


class SessionClosedError(ConnectionError):
    """The server refused or closed the session; the message says why."""


class ClientProtocol(ArrivalProtocol):
    """The client's end of a session."""

    def __init__(self, quic: QuicConnection, stream_handler: QuicStreamHandler | None = None) -> None:
        cut_reasons(quic)
        acknowledge_as_chromium(quic)
        hold_window(quic, quic.configuration.max_data)
        self.marks = ClientMarks(quic)
        super().__init__(quic, stream_handler)
        self.datagrams_received = 0
        self.malformed_datagrams = 0
        self.payload_observer: Callable[[int], None] = lambda size_bytes: None
        self.stamp_observer: Callable[[Stamp, float], None] = lambda stamp, received_time_s: None
        self.late_s: Callable[[], float] = lambda: 0.0
        """How much earlier than it is read a datagram may have arrived, where the system does not note when."""
        self.pong_observer: Callable[[int], None] = lambda sequence: None
        self.request_observer: Callable[[Feedback], None] = lambda feedback: None
        """Told what the receiver asks for."""
        self.feedback_observer: Callable[[], None] = lambda: None
        """Called when the receiver was asked for feedback and what it gave has left, before the next stamp."""
        self._http: ClientHttp | None = None
        self._session_id: int | None = None
        self._handshake: asyncio.Future[None] = self._loop.create_future()
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._closed_reason: str | None = None
        self._downloads = ClientDownloads()
        self._own_streams: set[int] = set()
        """On which something may still come."""
        self._receiver: ReceiverScheme | None = None
        self._next_feedback_s = 0.0
        self._last_stamp: Stamp | None = None
        self._feedback_timer: asyncio.TimerHandle | None = None
        self._capsules = CapsuleReader()

    async def open(self, *, authority: str, path: str, origin: str, receiver: ReceiverScheme) -> None:
        """Open the session; raises SessionClosedError."""
        self._receiver = receiver
        self.transmit()
        await self._handshake
        assert self._http is not None
        self._session_id = self._quic.get_next_available_stream_id()
        self._http.send_headers(
            self._session_id,
            [
                (b":method", b"CONNECT"),
                (b":protocol", b"webtransport"),
                (b":scheme", b"https"),
                (b":authority", authority.encode()),
                (b":path", path.encode()),
                (b"origin", origin.encode()),
                (b"sec-webtransport-http3-draft02", b"1"),
            ],
        )
        self.transmit()
        await self._opened

    async def download(
        self,
        path: str,
        *,
        on_data: Callable[[bytes], None],
        priority: int | None = None,
        byte_range: tuple[int, int] | None = None,
    ) -> dict[str, Any]:
        """Request a path and hand over its bytes as they come; returns the response's head."""
        if self._closed_reason is not None:
            raise SessionClosedError(self._closed_reason)
        assert self._http is not None
        assert self._session_id is not None
        stream_id = self._http.create_webtransport_stream(self._session_id)
        self._own_streams.add(stream_id)
        request: dict[str, Any] = {"path": path}
        if priority is not None:
            request["priority"] = priority
        if byte_range is not None:
            request["range"] = byte_range
        self._quic.send_stream_data(stream_id, json.dumps(request).encode() + b"\n", end_stream=True)
        download = Download(on_data, self._loop.create_future())
        self._downloads.begin(stream_id, download)
        self._expect_data()
        self.transmit()
        try:
            await download.done
        except asyncio.CancelledError:
            self._quic.stop_stream(stream_id, webtransport_code(StreamCode.REQUEST_CANCELLED))
            self.transmit()
            raise
        finally:
            self._downloads.forget(stream_id)
            self._expect_data()
        assert download.head is not None
        return download.head

    def send_raw_datagram(self, data: bytes) -> None:
        """Send any bytes as a datagram of the session."""
        assert self._http is not None
        assert self._session_id is not None
        self._http.send_datagram(self._session_id, data)
        self.transmit()

    async def wait_session_closed(self) -> str:
        """Why the session was closed."""
        await self.wait_closed()
        return self._closed_reason or "connection ended"

    def datagram_received(self, data: bytes | str, addr: NetworkAddress) -> None:
        self.datagrams_received += 1
        self.payload_observer(len(data))
        super().datagram_received(data, addr)

    def on_arrival(self, arrived_s: float, code_point: CodePoint) -> None:
        """When, and with which code point, the next datagram arrived; called where the system tells of it."""
        self.arrived_s = arrived_s
        self.marks.on_datagram(code_point)

    def quic_event_received(self, event: QuicEvent) -> None:
        if isinstance(event, ProtocolNegotiated):
            self._http = ClientHttp(self._quic)
        elif isinstance(event, HandshakeCompleted) and not self._handshake.done():
            self._handshake.set_result(None)
        elif isinstance(event, ConnectionTerminated):
            self._end(event.reason_phrase or "connection ended")
        elif isinstance(event, StreamReset):
            self._downloads.fail(event.stream_id, SessionClosedError(_why_reset(event.error_code)))
            self._own_streams.discard(event.stream_id)
        elif isinstance(event, StreamDataReceived) and event.stream_id in self._own_streams:
            # aioquic's HTTP/3 takes what comes back on a stream of ours for frames
            self._on_response(event)
            return
        if self._http is not None:
            for http_event in self._http.handle_event(event):
                self._handle(http_event)

    def _handle(self, event: H3Event) -> None:
        if isinstance(event, DatagramReceived):
            try:
                if is_pong(event.data):
                    self.pong_observer(decode_pong(event.data))
                else:
                    self._on_stamp(decode_stamp(event.data))
            except MalformedDatagramError:
                self.malformed_datagrams += 1
        elif isinstance(event, HeadersReceived) and event.stream_id == self._session_id:
            status = dict(event.headers).get(b":status", b"").decode()
            if status == "200" and not self._opened.done():
                self._opened.set_result(None)
            elif status != "200":
                why = WHY_REFUSED.get(status, "")
                self._end(f"the server refused the session with status {status}{why}")
        elif isinstance(event, DataReceived) and event.stream_id == self._session_id:
            try:
                closed = self._capsules.feed(event.data)
            except CapsuleError as error:
                self._give_up(f"the server sent what is no capsule: {error}")
                return
            if closed is not None or event.stream_ended:
                code, reason = closed or (0, "over")
                self._end(f"{reason} (code {code})")
                self.close()

    def _on_response(self, event: StreamDataReceived) -> None:
        if event.end_stream:
            self._own_streams.discard(event.stream_id)
        try:
            self._downloads.on_data(event.stream_id, event.data, is_ended=event.end_stream)
        except MalformedResponseError as error:
            self._give_up(str(error))

    def _give_up(self, reason: str) -> None:
        """End the session with a server that breaks the protocol."""
        self._end(reason)
        self.close()

    def _on_stamp(self, stamp: Stamp) -> None:
        received_time_s = self.arrival_s()
        assert self._receiver is not None
        late_s = self.late_s() if self.arrived_s is None else 0.0
        self._last_stamp = stamp
        self._receiver.on_stamp(stamp, received_time_s=received_time_s, late_s=late_s)
        self.stamp_observer(stamp, received_time_s)
        now_s = self._loop.time()
        if now_s >= self._next_feedback_s:
            self._send_feedback()
        elif self._feedback_timer is None:
            self._feedback_timer = self._loop.call_at(self._next_feedback_s, self._send_feedback)

    def _send_feedback(self) -> None:
        if self._feedback_timer is not None:
            self._feedback_timer.cancel()
            self._feedback_timer = None
        assert self._receiver is not None
        now_s = self._loop.time()
        self._next_feedback_s = now_s + feedback_interval_s(self._last_stamp)
        feedback = self._receiver.feedback(now_s=now_s)
        if feedback is not None and self._closed_reason is None:
            self.give_feedback(feedback)
            self.request_observer(feedback)
        self.feedback_observer()

    def give_feedback(self, feedback: Feedback) -> None:
        """Send what the receiver asks for; clients that lie do it otherwise."""
        self.send_raw_datagram(encode_feedback(feedback))

    def _expect_data(self) -> None:
        if self._receiver is not None:
            self._receiver.expect_data(bool(self._downloads))

    def _end(self, reason: str) -> None:
        if self._closed_reason is not None:
            return
        reason = self._closed_reason = printable(reason)
        for step in (self._handshake, self._opened):
            if not step.done():
                step.set_exception(SessionClosedError(reason))
                step.exception()  # whoever waited may have given up: asyncio would complain that nobody asks
        self._downloads.fail_all(SessionClosedError(reason))


Client = TypeVar("Client", bound=ClientProtocol)


def make_client(configuration: QuicConfiguration) -> ClientProtocol:
    """The client's end of a connection that has not begun."""
    return ClientProtocol(QuicConnection(configuration=configuration))


def open_session(url: str, *, origin: str, receiver: ReceiverScheme) -> AbstractAsyncContextManager[ClientProtocol]:
    """A session at `https://HOST:PORT/v1/SCHEME`, closed at the end. Raises what `open_session_as` does."""
    return open_session_as(make_client, url, origin=origin, receiver=receiver)


@asynccontextmanager
async def open_session_as(
    make_protocol: Callable[[QuicConfiguration], Client],
    url: str,
    *,
    origin: str,
    receiver: ReceiverScheme,
    receive_window_bytes: int = RECEIVE_WINDOW_BYTES,
) -> AsyncIterator[Client]:
    """The same with a client of one's own.

    The certificate is not checked: this client is for measurements and tests against servers one has started.
    Raises MalformedUrlError, ConnectionError where no server answers within `OPENING_TIME_LIMIT_S`, and
    SessionClosedError where it refuses.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or parts.hostname is None or parts.port is None:
        raise MalformedUrlError(f"{url!r} is not of the form https://HOST:PORT/v1/SCHEME")
    configuration = QuicConfiguration(
        alpn_protocols=H3_ALPN,
        is_client=True,
        max_data=receive_window_bytes,
        max_stream_data=receive_window_bytes,
        max_datagram_frame_size=MAX_DATAGRAM_FRAME_BYTES,
        server_name=parts.hostname,
        verify_mode=CERT_NONE,
    )
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    protocol = make_protocol(configuration)
    async with _connected(protocol, parts.hostname, parts.port):
        try:
            async with asyncio.timeout(OPENING_TIME_LIMIT_S):
                await protocol.open(authority=parts.netloc, path=path, origin=origin, receiver=receiver)
        except TimeoutError as error:
            limit = f"{OPENING_TIME_LIMIT_S:g} s"
            raise ConnectionError(
                f"no media server answered at {parts.netloc} within {limit}; is it running?"
            ) from error
        yield protocol


@asynccontextmanager
async def _connected(protocol: ClientProtocol, host: str, port: int) -> AsyncIterator[None]:
    """A connection that is about to begin. Raises OSError where there is no such host, or no socket left."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    # of localhost, many systems name ::1 first; servers listen on 127.0.0.1 unless told
    family, _, _, _, address = min(found, key=lambda each: each[4][0] == "::1")
    sock = bind("::" if family == socket.AF_INET6 else "0.0.0.0", 0)
    endpoint = await open_endpoint(sock, protocol, protocol.on_arrival)
    try:
        protocol.connect(address, transmit=False)
        yield
    finally:
        protocol.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_TIME_LIMIT_S):
                await protocol.wait_closed()
        endpoint.close()


def _why_reset(http3_code: int) -> str:
    code = application_code(http3_code)
    because = f"HTTP/3 code 0x{http3_code:x}" if code is None else f"code {code}"
    return f"the server reset the stream ({because}; wire_format/PROTOCOL.md, Stream codes)"
