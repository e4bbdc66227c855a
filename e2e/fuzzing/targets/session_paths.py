"""The path that a session is opened at."""

from __future__ import annotations

from cc.registry import SCHEMES
from e2e.fuzzing.target import Parser, Target
from transport.media_server.session_key import SessionKey
from transport.wire_format.capsules import CapsuleReader, encode_close
from transport.wire_format.session_path import PathNotFoundError, SessionRefusedError, parse_session_path
from transport.wire_format.session_token import make_token

SECRET = b"s" * 32
NOW_S = 1_800_000_000
KEY = SessionKey(SECRET, lambda: NOW_S)


def read(data: bytes) -> None:
    """As the media server does; a refusal has to fit the close that tells of it."""
    try:
        KEY.require(parse_session_path(data.decode(errors="replace")).token)
    except SessionRefusedError as error:
        CapsuleReader().feed(encode_close(error.code, str(error)))
        raise


TARGET = Target(
    "session-paths",
    "paths and parameters of sessions",
    lambda: Parser(read, PathNotFoundError, SessionRefusedError),
    lambda: [
        b"/v1/cubic",
        b"/v1/nuwa?preset=on-demand&k=7&target_delay_ms=40&rho_ms=20",
        b"/v1/nuwa?k=2.5e0&target_delay_ms=1",
        b"/v2/nuwa",
        f"/v1/nuwa?token={make_token(SECRET, expires_s=NOW_S + 1)}".encode(),
        f"/v1/nuwa?token={make_token(SECRET, expires_s=NOW_S)}".encode(),
        b"/v1/n%75wa?k=%37",
        b"//host/v1/nuwa",
        *(f"/v1/{entry.name}".encode() for entry in SCHEMES[::6]),
    ],
    tokens=(
        b"preset=",
        b"k=",
        b"rho_ms=",
        b"token=",
        b"%2E",
        b"&",
        b"?",
        b"%",
        b"nan",
        b"inf",
        b"1_0",
        "٣".encode(),
        b"//[",
        b"#",
        b"\x00",
    ),
    test_inputs=10_000,
)
