"""A server that breaks the protocol: the client ends the session and says why, in printable characters."""

from __future__ import annotations

from pathlib import Path

import pytest

from transport.headless.client import ClientProtocol, SessionClosedError
from transport.headless.client_downloads import MAX_HEAD_BYTES
from transport.media_server import media_session
from transport.media_server.media_session import MediaSession
from transport.tests.serving import with_session
from transport.wire_format.session_path import CloseCode

ESCAPES = "\x1b]0;mine\x07\x1b[2J"


@pytest.mark.parametrize(
    ("head", "why"),
    [
        pytest.param(b"200\x1b[2J OK\n", r"no JSON: b'200\\x1b", id="no JSON"),
        pytest.param(b"\xff\xfe{}\n", "no JSON", id="no UTF-8"),
        pytest.param(b"[200]\n", "no JSON object", id="no object"),
        pytest.param(b"[" * MAX_HEAD_BYTES + b"\n", "no JSON", id="deep"),
        pytest.param(b" " * MAX_HEAD_BYTES + b"{}\n", f"more than {MAX_HEAD_BYTES} bytes", id="long"),
        pytest.param(b" " * 100 * MAX_HEAD_BYTES, f"more than {MAX_HEAD_BYTES} bytes", id="without end"),
    ],
)
def test_a_response_with_no_head_ends_the_session(
    film: Path, monkeypatch: pytest.MonkeyPatch, head: bytes, why: str
) -> None:
    monkeypatch.setattr(media_session, "response_head", lambda **_: head)

    async def scenario(client: ClientProtocol) -> None:
        with pytest.raises(SessionClosedError, match=why):
            await client.download("generated/1000000000", on_data=lambda data: None)
        assert why.replace("\\\\", "\\") in await client.wait_session_closed()

    with_session(film, scenario)


def test_a_response_that_ends_in_its_head_ends_the_session(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_session, "response_head", lambda **_: b'{"status"')

    async def scenario(client: ClientProtocol) -> None:
        with pytest.raises(SessionClosedError, match="ended in its head, after 9 bytes"):
            await client.download("no/such/file", on_data=lambda data: None)

    with_session(film, scenario)


def test_what_is_no_capsule_ends_the_session(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_session, "encode_close", lambda code, reason: b"\x68\x43\x01x")
    monkeypatch.setattr(MediaSession, "on_datagram", lambda session, data, now_s: session.close(CloseCode.IDLE, "x"))

    async def scenario(client: ClientProtocol) -> None:
        client.send_raw_datagram(b"close")
        assert await client.wait_session_closed() == "the server sent what is no capsule: a close of 1 bytes"

    with_session(film, scenario)


def test_a_reason_reaches_no_terminal_with_control_characters(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        MediaSession, "on_datagram", lambda session, data, now_s: session.close(CloseCode.IDLE, f"über\n{ESCAPES}")
    )

    async def scenario(client: ClientProtocol) -> None:
        client.send_raw_datagram(b"close")
        reason = await client.wait_session_closed()
        assert reason == rf"über\n\x1b]0;mine\x07\x1b[2J (code {CloseCode.IDLE})"

    with_session(film, scenario)
