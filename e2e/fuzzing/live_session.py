"""A session that a client of aioquic's opened at the media server in memory; then the client is silent."""

from __future__ import annotations

from ssl import CERT_NONE

from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection, QuicConnectionError
from aioquic.quic.events import ProtocolNegotiated

from e2e.fuzzing.memory_server import MemoryServer
from e2e.fuzzing.wire_samples import ORIGIN
from transport.aioquic_adapter.payloads import is_established, receive_payload
from transport.aioquic_adapter.protocol import BatchedProtocol

SERVER_ADDRESS = ("192.0.2.1", 4433)
STEP_S = 0.005
ANSWER_S = 0.002
MOST_STEPS = 50
PAYLOADS_EACH_BATCH = 8
"""As of a socket that is drained before anything is answered."""


class NoSessionError(Exception):
    """The server opened no session for an honest client."""


class LiveSession:
    """The server's end of an open session, and how far the client's streams have come."""

    def __init__(self, server: MemoryServer, *, number: int, path: str) -> None:
        """`number` tells clients apart. Raises NoSessionError."""
        self._server = server
        self.offsets: dict[int, int] = {}
        """Bytes that the client has sent on each stream, and so where a stream goes on."""
        self.session_id = 0
        self._unanswered = 0
        self.protocol = self._open((f"198.51.{number // 250 % 250}.{number % 250 + 1}", 1024 + number % 60_000), path)

    @property
    def is_open(self) -> bool:
        """Whether the connection takes more."""
        return is_established(self.protocol.connection.quic)

    def receive(self, payload: bytes) -> bool:
        """Frames from the client; False where they are refused. Raises UnexpectedError, also for those before."""
        try:
            receive_payload(self.protocol.connection.quic, payload, now_s=self._server.loop.time())
            is_understood = True
        except QuicConnectionError:
            is_understood = False
        self._unanswered += 1
        if self._unanswered >= PAYLOADS_EACH_BATCH:
            self.answer()
        return is_understood

    def answer(self) -> None:
        """Let the server handle what has come, and send. Raises UnexpectedError."""
        self._unanswered = 0
        self._server.loop.call_soon(self.protocol.finish_batch)
        self._server.wait(ANSWER_S)

    def _open(self, address: tuple[str, int], path: str) -> BatchedProtocol:
        loop = self._server.loop
        quic = QuicConnection(
            configuration=QuicConfiguration(
                alpn_protocols=H3_ALPN,
                is_client=True,
                max_datagram_frame_size=65_536,
                server_name="192.0.2.1",
                verify_mode=CERT_NONE,
            )
        )
        send_stream_data = quic.send_stream_data

        def counted(stream_id: int, data: bytes, end_stream: bool = False) -> None:
            self.offsets[stream_id] = self.offsets.get(stream_id, 0) + len(data)
            send_stream_data(stream_id, data, end_stream)

        quic.send_stream_data = counted  # type: ignore[method-assign]
        before = set(self._server.server.connections)
        quic.connect(SERVER_ADDRESS, now=loop.time())
        http: H3Connection | None = None
        for _ in range(MOST_STEPS):
            for datagram, _ in quic.datagrams_to_send(now=loop.time()):
                self._server.socket.delivered.append((datagram, address))
            for datagram, receiver in self._server.wait(STEP_S):
                if receiver == address:
                    quic.receive_datagram(datagram, SERVER_ADDRESS, now=loop.time())
            while (event := quic.next_event()) is not None:
                if isinstance(event, ProtocolNegotiated):
                    http = H3Connection(quic, enable_webtransport=True)
                    self.session_id = quic.get_next_available_stream_id()
                    http.send_headers(self.session_id, _connect(path))
                events = [] if http is None else http.handle_event(event)
                if any(isinstance(each, HeadersReceived) and each.stream_id == self.session_id for each in events):
                    return next(each for each in self._server.server.connections if each not in before)
        raise NoSessionError(f"no session at {path} for a client at {address[0]}")


def _connect(path: str) -> list[tuple[bytes, bytes]]:
    return [
        (b":method", b"CONNECT"),
        (b":protocol", b"webtransport"),
        (b":scheme", b"https"),
        (b":authority", b"192.0.2.1"),
        (b":path", path.encode()),
        (b"origin", ORIGIN.encode()),
        (b"sec-webtransport-http3-draft02", b"1"),
    ]
