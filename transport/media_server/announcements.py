"""What a server says on standard output to the process that started it: one line of JSON for each event."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import select
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from transport.media_server.certificate import Certificate
from transport.media_server.self_check import SelfCheckResult
from transport.policies import PolicyReport

BEAT_INTERVAL_S = 0.5


class Announcer:
    """Writes events to a stream; whoever reads it may go away or stand still at any time."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def ready(self, *, host: str, port: int, certificates: Sequence[Certificate]) -> None:
        """The server can be reached."""
        self._say({"event": "ready", "host": host, "port": port, **_as_json(certificates)})

    def certificates(self, certificates: Sequence[Certificate]) -> None:
        """The certificates in force have changed; the first is the one that new connections get."""
        self._say({"event": "certificate", **_as_json(certificates)})

    def policy(self, report: PolicyReport) -> None:
        """A session with a learned scheme is over. The log has it, too: a reader that stands still misses it."""
        with contextlib.suppress(BrokenPipeError):
            if self._has_room():
                self._say({"event": "policy", **report.as_json()})

    def newcomers(self, result: SelfCheckResult) -> None:
        """Whether a newcomer gets in. A reader that stands still misses it, and hears the next."""
        with contextlib.suppress(BrokenPipeError):
            if self._has_room():
                self._say({"event": "newcomers", **dataclasses.asdict(result)})

    def stopping(self) -> None:
        """Sessions end now: whoever tells of this server's address had better tell of another."""
        with contextlib.suppress(BrokenPipeError):
            if self._has_room():
                self._say({"event": "stopping"})

    async def beat(self) -> None:
        """Say twice a second that the event loop turns, until nobody listens any more."""
        while True:
            await asyncio.sleep(BEAT_INTERVAL_S)
            try:
                if self._has_room():
                    self._say({"event": "beat"})
            except BrokenPipeError:
                return  # whoever asked for beats has gone; the end of standard input tells the server

    def _has_room(self) -> bool:
        """Whether a line can be written at once: a beat must not wait for a reader that stands still."""
        if os.name != "posix":
            return True
        return bool(select.select([], [self._stream.fileno()], [], 0)[1])

    def _say(self, message: Mapping[str, Any]) -> None:
        self._stream.write(json.dumps(message) + "\n")
        self._stream.flush()


def _as_json(certificates: Sequence[Certificate]) -> dict[str, Any]:
    return {
        "certificate_sha256": [certificate.sha256_base64 for certificate in certificates],
        "certificate_not_after": certificates[0].not_after.isoformat().replace("+00:00", "Z"),
    }
