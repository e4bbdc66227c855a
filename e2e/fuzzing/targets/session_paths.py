"""The path that a session is opened at."""

from __future__ import annotations

from cc.registry import SCHEMES
from e2e.fuzzing.target import Parser, Target
from transport.wire_format.capsules import CapsuleReader, encode_close
from transport.wire_format.session_path import PathNotFoundError, SessionRefusedError, parse_session_path


def read(data: bytes) -> None:
    """As the media server does; a refusal has to fit the close that tells of it."""
    try:
        parse_session_path(data.decode(errors="replace"))
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
        b"/v1/n%75wa?k=%37",
        b"//host/v1/nuwa",
        *(f"/v1/{entry.name}".encode() for entry in SCHEMES[::6]),
    ],
    tokens=(
        b"preset=",
        b"k=",
        b"rho_ms=",
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
