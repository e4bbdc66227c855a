"""`--metrics-port`: metrics for Prometheus and a health answer over HTTP, beside the event loop."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

POLL_S = 0.1
PATIENCE_S = 5.0
"""With a client that does not say what it wants."""


@dataclass(frozen=True, slots=True)
class Health:
    """Whether a newcomer gets in."""

    status: str
    """`ok`, or what is wrong."""
    workers: int
    """Those that take sessions."""


class _ThreadingServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _ThreadingServer6(_ThreadingServer):
    address_family = socket.AF_INET6


class _QuietHandler(WSGIRequestHandler):
    timeout = PATIENCE_S

    def log_message(self, format: str, *args: object) -> None:
        """A line for each question would be most of the log."""


class MetricsEndpoint:
    """`GET /metrics` and `GET /healthz`."""

    def __init__(self, host: str, port: int, *, metrics: Callable[[], str], health: Callable[[], Health]) -> None:
        """Both are called in threads of their own. Raises OSError where the address cannot be had."""
        self._metrics = metrics
        self._health = health
        try:
            server = _ThreadingServer6 if ":" in host else _ThreadingServer
            self._server = make_server(host, port, self._answer, server, _QuietHandler)
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
        path, method = environment.get("PATH_INFO"), environment.get("REQUEST_METHOD")
        if method != "GET" or path not in ("/metrics", "/healthz"):
            start("404 Not Found", [("Content-Type", "text/plain")])
            return [b"GET /metrics or GET /healthz\n"]
        if path == "/metrics":
            text = self._metrics().encode()
            start("200 OK", [("Content-Type", CONTENT_TYPE_PLAIN_0_0_4)])
            return [text]
        health = self._health()
        status = "200 OK" if health.status == "ok" else "503 Service Unavailable"
        start(status, [("Content-Type", "application/json"), ("Cache-Control", "no-store")])
        return [json.dumps({"status": health.status, "workers": health.workers}).encode() + b"\n"]
