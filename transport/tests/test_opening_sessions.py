"""Who gets a session, and what those are told who get none; over real sockets on loopback."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import pytest
from aioquic.h3.connection import H3Connection
from aioquic.h3.events import Headers

from cc.receiver.observer import Observer
from transport.headless.client import ClientProtocol, SessionClosedError, open_session
from transport.media_server.offered_schemes import offered_schemes
from transport.media_server.server import start_server
from transport.media_server.session_key import SessionKey
from transport.tests.serving import ORIGIN, SEGMENT, options_for, run, running_server, with_session
from transport.wire_format.session_token import make_token


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
def test_other_origins_are_refused_with_403(film: Path, origin: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(client: ClientProtocol) -> None:
        raise AssertionError("the session was opened")

    with pytest.raises(SessionClosedError, match="403: its --origin names other pages"):
        with_session(film, scenario, origin=origin)
    assert f"refused a session from origin ['{origin}']; allowed: " in caplog.text
    assert "; --origin URL allows another" in caplog.text


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


def test_schemes_that_are_not_offered_are_refused_with_those_that_are(film: Path) -> None:
    async def scenario() -> None:
        server = await start_server(replace(options_for(film), schemes=("nuwa", "cubic")))
        url = f"https://127.0.0.1:{server.port}/v1/"
        try:
            async with open_session(url + "bbr", origin=ORIGIN, receiver=Observer()) as client:
                assert "scheme bbr is not offered here; offered: nuwa, cubic" in await client.wait_session_closed()
            async with open_session(url + "cubic", origin=ORIGIN, receiver=Observer()) as client:
                assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200
        finally:
            await server.stop()

    run(scenario())


@pytest.mark.parametrize("listed", ["kuafuu", "", "cubic,"])
def test_a_list_of_schemes_names_none_that_there_is_not(listed: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="scheme"):
        offered_schemes(listed)


def test_a_scheme_that_is_listed_twice_is_offered_once() -> None:
    assert offered_schemes("nuwa,cubic,nuwa") == ("nuwa", "cubic")


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


def test_a_session_that_its_client_ends_as_it_asks_for_it_is_refused(
    film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_headers = H3Connection.send_headers

    def send_whole(http: H3Connection, stream_id: int, headers: Headers, end_stream: bool = True) -> None:
        send_headers(http, stream_id, headers, end_stream)

    monkeypatch.setattr(H3Connection, "send_headers", send_whole)

    async def scenario(client: ClientProtocol) -> None:
        raise AssertionError("the session was opened")

    with pytest.raises(SessionClosedError, match="status 400"):
        with_session(film, scenario)
