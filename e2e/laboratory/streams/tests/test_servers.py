"""When a server counts as begun."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from e2e.laboratory.places.child import ChildError
from e2e.laboratory.streams import servers
from e2e.laboratory.streams.servers import wait_until_tried


@contextmanager
def health(answers: list[HTTPStatus]) -> Iterator[int]:
    """The port of one that gives these in turn, the last of them for ever."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(answers.pop(0) if len(answers) > 1 else answers[0])
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_a_server_has_begun_once_it_has_opened_a_session_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "LOOK_INTERVAL_S", 0.001)
    answers = [HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.OK]
    with health(answers) as port:
        wait_until_tried(port)
    assert answers == [HTTPStatus.OK]


def test_one_that_cannot_open_a_session_with_itself_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "START_LIMIT_S", 0.05)
    with health([HTTPStatus.SERVICE_UNAVAILABLE]) as port, pytest.raises(ChildError, match="healthz"):
        wait_until_tried(port)


def test_one_that_is_gone_is_said_at_once() -> None:
    with health([HTTPStatus.OK]) as port:
        pass
    with pytest.raises(ChildError, match="does not answer"):
        wait_until_tried(port)
