"""`--metrics-port`: metrics for Prometheus and a health answer over HTTP, beside the event loop."""

from __future__ import annotations

import io
import json
import logging
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from http import HTTPStatus
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from transport.media_server.admission.prefixes import household_of, prefix_of
from transport.media_server.health import Health
from transport.media_server.hosts import is_own_host

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

    from _typeshed import WriteableBuffer

    Request = socket.socket | tuple[bytes, socket.socket]

POLL_S = 0.1
REQUEST_LIMIT_S = 5.0
"""For a whole request, and again for its answer to be taken."""
MOST_REQUEST_BYTES = 16 * 1024
"""Python takes 100 fields of 64 KiB each, and seconds of the event loop's time to read them."""
MOST_CONNECTIONS = 16
"""At once, each with a thread: Prometheus and a probe have one each."""
MOST_OF_AN_ADDRESS = 4
"""Of these."""

logger = logging.getLogger(__name__)


class _Places:
    """Asked by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    def take(self, host: str) -> bool:
        """Whether there is one for that address."""
        household = household_of(prefix_of(host))
        with self._lock:
            if self._taken.total() >= MOST_CONNECTIONS or self._taken[household] >= MOST_OF_AN_ADDRESS:
                return False
            self._taken[household] += 1
            return True

    def give_back(self, host: str) -> None:
        """It was taken."""
        household = household_of(prefix_of(host))
        with self._lock:
            self._taken[household] -= 1
            self._taken += Counter()  # keeps no address that has none


class _BoundedServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def server_activate(self) -> None:
        self._places = _Places()
        super().server_activate()

    def process_request(self, request: Request, client_address: tuple[str, int]) -> None:
        if not self._places.take(client_address[0]):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Request, client_address: tuple[str, int]) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.give_back(client_address[0])


class _BoundedServer6(_BoundedServer):
    address_family = socket.AF_INET6


class _RequestTooLongError(ConnectionError):
    """Of more than `MOST_REQUEST_BYTES`."""


class _PatientReader(io.RawIOBase):
    """What a client sends, until it is too much, or has taken too long: then reading raises one of these errors."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._end_s = time.monotonic() + REQUEST_LIMIT_S
        self._read_bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        left_s = self._end_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError(f"no whole request in {REQUEST_LIMIT_S:g} s")
        self._connection.settimeout(left_s)
        self._read_bytes += (count := self._connection.recv_into(buffer))
        if self._read_bytes > MOST_REQUEST_BYTES:
            raise _RequestTooLongError(f"a request of more than {MOST_REQUEST_BYTES} bytes")
        return count


class _Handler(WSGIRequestHandler):
    def setup(self) -> None:
        super().setup()
        self.rfile = io.BufferedReader(_PatientReader(self.connection))

    def handle(self) -> None:
        try:
            super().handle()
        except (TimeoutError, ConnectionError) as error:
            logger.debug("metrics: %s: %s", self.client_address[0], error)

    def parse_request(self) -> bool:
        is_whole = super().parse_request()
        self.connection.settimeout(REQUEST_LIMIT_S)  # reading left what remained of the request's own
        return is_whole

    def log_message(self, format: str, *args: object) -> None:
        """A line for each question would be most of the log."""


class MetricsEndpoint:
    """`GET /metrics` and `GET /healthz`."""

    def __init__(self, host: str, port: int, *, metrics: Callable[[], str], health: Callable[[], Health]) -> None:
        """Both are called in threads of their own; `metrics` may raise TimeoutError.

        Raises OSError where the address cannot be had.
        """
        self._metrics = metrics
        self._health = health
        self._host = host
        try:
            server = _BoundedServer6 if ":" in host else _BoundedServer
            self._server = make_server(host, port, self._answer, server, _Handler)
        except OSError as error:
            problem = f"--metrics-port: {host}:{port} cannot be listened on ({error.strerror})"
            sentence = f"{problem}; give another --metrics-host or --metrics-port"
            raise OSError(error.errno, sentence) from error
        threading.Thread(target=self._server.serve_forever, args=(POLL_S,), daemon=True).start()

    @property
    def port(self) -> int:
        """The bound port."""
        return self._server.server_port

    def close(self) -> None:
        """Answer nobody any more."""
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, environment: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        status, content_type, text = self._found(environment)
        fields = [("Content-Type", content_type), ("Cache-Control", "no-store")]
        start(f"{status.value} {status.phrase}", fields)
        return [text.encode()]

    def _found(self, environment: WSGIEnvironment) -> tuple[HTTPStatus, str, str]:
        path, method = environment.get("PATH_INFO"), environment.get("REQUEST_METHOD")
        host = environment.get("HTTP_HOST")
        if host is not None and not is_own_host(host, listening_on=self._host):
            sentence = f"{host[:100]!r} is none of this server's hosts; ask by its address\n"
            return HTTPStatus.MISDIRECTED_REQUEST, "text/plain", sentence
        if method != "GET" or path not in ("/metrics", "/healthz"):
            return HTTPStatus.NOT_FOUND, "text/plain", "GET /metrics or GET /healthz\n"
        if path == "/metrics":
            try:
                return HTTPStatus.OK, CONTENT_TYPE_PLAIN_0_0_4, self._metrics()
            except TimeoutError:
                return HTTPStatus.SERVICE_UNAVAILABLE, "text/plain", "the event loop does not answer\n"
        health = self._health()
        status = HTTPStatus.OK if health.status == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
        answer = {"status": health.status, "workers": health.workers}
        return status, "application/json", json.dumps(answer) + "\n"
