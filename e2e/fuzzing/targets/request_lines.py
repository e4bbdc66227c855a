"""The line that asks for a segment, and what it may fetch."""

from __future__ import annotations

import tempfile
from pathlib import Path

from e2e.fuzzing.target import Subject, Target
from transport.media_server.content import ServedFolder, UnknownContentError
from transport.wire_format.requests import MalformedRequestError, parse_request, response_head

CANARY = b"canary"


class EscapedError(Exception):
    """A request reached what is not served."""


class Film(Subject):
    """A folder with a segment, beside a file that no request may reach."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="nuwa-fuzz-")
        root = Path(self._folder.name)
        (root / "film").mkdir()
        (root / "secret.m4s").write_bytes(CANARY)
        (root / "film" / "seg.m4s").write_bytes(b"segment")
        self._index = ServedFolder(root / "film")

    def feed(self, data: bytes) -> bool:
        try:
            request = parse_request(data)
            content = self._index.open(request.path)
        except (MalformedRequestError, UnknownContentError) as error:
            response_head(status=400, length_bytes=0, reason=str(error))
            return False
        if content.length_bytes and CANARY in content.read(0, 100):
            raise EscapedError(request.path)
        return True

    def close(self) -> None:
        self._folder.cleanup()


TARGET = Target(
    "request-lines",
    "lines that ask for segments",
    Film,
    lambda: [
        b'{"path":"seg.m4s"}\n',
        b'{"path":"seg.m4s","range":[0,65535],"priority":12}\n',
        b'{"path":"generated/1000","priority":2147483647}',
        b'{"path":"../secret.m4s","range":null}',
        b'{"path":"\\u0000\\ud800","range":[1e3,18446744073709551616]}',
        b"[" * 500,
    ],
    tokens=(
        b'"path"',
        b'"range"',
        b"seg.m4s",
        b"generated/",
        b"../",
        b"\\u",
        b"null",
        b"[",
        b"NaN",
        b"-1",
        b"1e999",
        b"9" * 30,
    ),
    largest_bytes=2200,
    inputs_each=20_000,
    test_inputs=20_000,
)
