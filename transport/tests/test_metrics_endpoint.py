"""What answers `--metrics-port`: whom, for how long, and what it says of an event loop that stands still."""

from __future__ import annotations

import argparse
import asyncio
import http.client
import itertools
import json
import socket
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING
from wsgiref.simple_server import make_server

import pytest

from cc.receiver.observer import Observer
from transport.headless.client import SessionClosedError, open_session
from transport.media_server import metrics_endpoint
from transport.media_server.health import STALE_AFTER_S, Health
from transport.media_server.hosts import is_own_host
from transport.media_server.metrics_endpoint import (
    MOST_CONNECTIONS,
    MOST_OF_AN_ADDRESS,
    REQUEST_LIMIT_S,
    MetricsEndpoint,
)
from transport.media_server.process_metrics import ProcessMetrics
from transport.media_server.self_check import SelfCheckResult
from transport.media_server.server import start_server
from transport.tests.serving import ORIGIN, options_for, run

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

LIMIT_S = 5.0


@contextmanager
def endpoint(metrics: str | type[Exception] = "a 1\n") -> Iterator[int]:
    """Its port; it is well."""

    def text() -> str:
        if isinstance(metrics, str):
            return metrics
        raise metrics

    made = MetricsEndpoint("127.0.0.1", 0, metrics=text, health=lambda: Health("ok", 1))
    try:
        yield made.port
    finally:
        made.close()


def ask(port: int, path: str, host: str | None = None) -> tuple[int, str]:
    """Status and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    connection.request("GET", path, headers={} if host is None else {"Host": host})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body


def is_open(connection: socket.socket) -> bool:
    """After one byte more."""
    try:
        connection.sendall(b"a")
        return connection.recv(1) != b""
    except TimeoutError:
        return True
    except ConnectionError:
        return False


def test_pages_whose_name_was_made_to_lead_here_read_nothing() -> None:
    with endpoint() as port:
        assert ask(port, "/metrics") == (200, "a 1\n")
        assert ask(port, "/metrics", f"localhost:{port}") == (200, "a 1\n")
        status, body = ask(port, "/metrics", f"rebound.example:{port}")
        assert (status, "a 1" in body) == (421, False)
        assert ask(port, "/healthz", "rebound.example")[0] == 421
        assert ask(port, "/elsewhere")[0] == 404


@pytest.mark.parametrize(
    ("host", "listening_on", "is_own"),
    [
        ("127.0.0.1:9000", "127.0.0.1", True),
        ("[::1]:9000", "::1", True),
        ("localhost", "::1", True),
        ("rebound.example", "127.0.0.1", False),
        ("rebound.example", "localhost", False),
        ("", "127.0.0.1", False),
        ("[", "127.0.0.1", False),
        ("media.cluster.example:9000", "0.0.0.0", True),
    ],
)
def test_its_hosts_are_addresses_and_beyond_loopback_names(host: str, listening_on: str, is_own: bool) -> None:
    assert is_own_host(host, listening_on=listening_on) is is_own


def test_who_never_ends_a_request_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics_endpoint, "REQUEST_LIMIT_S", 0.2)
    with endpoint() as port, socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as slow:
        slow.sendall(b"GET /metrics HTTP/1.1\r\n")
        slow.settimeout(0.02)
        while is_open(slow):  # the whole request has a limit, not each byte
            pass
        assert ask(port, "/healthz")[0] == 200


def test_a_late_request_leaves_its_answer_the_whole_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    times_s = itertools.chain([0.0], itertools.repeat(REQUEST_LIMIT_S - 1))
    monkeypatch.setattr(metrics_endpoint, "time", SimpleNamespace(monotonic=lambda: next(times_s)))
    server_end, client_end = socket.socketpair()
    limits_s = []

    def answer(environment: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        limits_s.append(server_end.gettimeout())
        start("200 OK", [])
        return [b""]

    with server_end, client_end, make_server("127.0.0.1", 0, answer) as server:
        client_end.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
        metrics_endpoint._Handler(server_end, ("127.0.0.1", 1), server)
    assert limits_s == [REQUEST_LIMIT_S]


@pytest.mark.parametrize(("field_bytes", "is_answered"), [(8000, True), (60_000, False)])
def test_a_request_is_read_up_to_a_limit(field_bytes: int, is_answered: bool) -> None:
    with endpoint() as port, connected(port, "127.0.0.1") as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\n" + b"X: " + field_bytes * b"a" + b"\r\n\r\n")
        try:
            answer = client.recv(100)
        except ConnectionError:
            answer = b""
        assert answer.startswith(b"HTTP/1.0 200") is is_answered


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux all of 127.0.0.0/8 is this machine")
def test_connections_beyond_its_places_are_closed_at_once() -> None:
    hosts = [f"127.0.0.{2 + number // MOST_OF_AN_ADDRESS}" for number in range(MOST_CONNECTIONS)]
    with endpoint() as port, silent(port, hosts), connected(port, "127.0.0.1") as one_more:
        assert one_more.recv(1) == b""


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux all of 127.0.0.0/8 is this machine")
def test_an_address_has_a_part_of_the_places() -> None:
    with endpoint() as port, silent(port, ["127.0.0.2"] * MOST_OF_AN_ADDRESS):
        with connected(port, "127.0.0.2") as one_more:
            assert one_more.recv(1) == b""
        assert ask(port, "/healthz")[0] == 200


def test_places_are_free_again_when_their_clients_have_gone() -> None:
    with endpoint() as port:
        for _ in range(2 * MOST_CONNECTIONS):
            assert ask(port, "/healthz")[0] == 200


def connected(port: int, host: str) -> socket.socket:
    """From that address."""
    return socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S, source_address=(host, 0))


@contextmanager
def silent(port: int, hosts: Sequence[str]) -> Iterator[None]:
    """Clients that say nothing, one from each of these addresses."""
    with ExitStack() as clients:
        for host in hosts:
            clients.enter_context(connected(port, host))
        yield


def test_an_event_loop_that_does_not_answer_is_503() -> None:
    with endpoint(metrics=TimeoutError) as port:
        assert ask(port, "/metrics")[0] == 503


def test_health_is_503_before_the_first_newcomer_and_while_the_event_loop_stands_still(tmp_path: Path) -> None:
    (tmp_path / "film.mpd").touch()
    now_s = 100.0
    options = argparse.Namespace(measure=False, worker=None, metrics_port=0, metrics_host="127.0.0.1")

    async def scenario() -> None:
        nonlocal now_s
        server = await start_server(options_for(tmp_path))
        metrics = ProcessMetrics(server, options, clock=lambda: now_s)
        assert metrics.port is not None
        try:  # each question blocks the loop
            status, body = ask(metrics.port, "/healthz")
            assert (status, json.loads(body)["workers"], "not yet" in body) == (503, 0, True)
            metrics.on_self_check(SelfCheckResult(can_enter=True, opening_s=0.01))
            now_s += STALE_AFTER_S
            assert ask(metrics.port, "/healthz")[0] == 200
            now_s += 1
            status, body = ask(metrics.port, "/healthz")
            assert (status, "31 s: the event loop stands still" in body) == (503, True)
            metrics.on_self_check(SelfCheckResult(can_enter=False, opening_s=None))
            assert "shut out" in ask(metrics.port, "/healthz")[1]
        finally:
            metrics.close()
            await server.stop()

    run(scenario())


def test_metrics_tell_of_the_process_its_certificate_and_whom_it_refused(tmp_path: Path) -> None:
    (tmp_path / "film.mpd").touch()
    options = argparse.Namespace(measure=False, worker=None, metrics_port=0, metrics_host="127.0.0.1")

    async def scenario() -> None:
        server = await start_server(options_for(tmp_path))
        metrics = ProcessMetrics(server, options)
        assert metrics.port is not None
        url = f"https://127.0.0.1:{server.port}"
        try:
            for path, origin in (("/v1/cubic", "https://elsewhere.example"), ("/v1/bogus", ORIGIN), ("/film", ORIGIN)):
                with pytest.raises((OSError, SessionClosedError)):
                    async with open_session(url + path, origin=origin, receiver=Observer()) as client:
                        raise SessionClosedError(await client.wait_session_closed())
            status, body = await asyncio.to_thread(ask, metrics.port, "/metrics")
        finally:
            metrics.close()
            await server.stop()
        values = dict(line.rsplit(" ", 1) for line in body.splitlines() if not line.startswith("#"))
        assert status == 200
        assert float(values['nuwa_transport_sessions{worker="1"}']) == 0
        refused = 'nuwa_transport_refused_sessions_total{reason="%s",worker="1"}'
        assert [float(values[refused % reason]) for reason in ("origin", "path", "token")] == [1, 2, 0]
        not_after_s = float(values['nuwa_transport_certificate_not_after_seconds{worker="1"}'])
        assert 0 < not_after_s - time.time() < 14 * 86_400
        if sys.platform == "linux":
            assert float(values['nuwa_transport_process_resident_memory_bytes{worker="1"}']) > 2**20
            assert float(values['nuwa_transport_missed_datagrams_total{worker="1"}']) == 0

    run(scenario())


def test_a_delay_beyond_the_round_trip_is_counted_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "film.mpd").touch()
    options = argparse.Namespace(measure=True, worker=None, metrics_port=None)

    async def scenario() -> None:
        server = await start_server(options_for(tmp_path))
        metrics = ProcessMetrics(server, options)
        url = f"https://127.0.0.1:{server.port}/v1/cubic"
        try:
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as client:
                await client.download("generated/100000", on_data=lambda data: None)
                (session,) = server._service.sessions
                session._written_bytes[0] = 1  # busy
                for told_s in (0.0, 4294.0):
                    session.queueing_delay_s = told_s
                    metrics.on_beat(server.load())
                text = metrics.as_text()
        finally:
            await server.stop()
        assert 'nuwa_transport_implausible_delays_total{worker="1"} 1.0' in text
        assert 'nuwa_transport_queueing_delay_seconds_count{worker="1"} 1.0' in text

    run(scenario())
