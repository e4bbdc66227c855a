"""The media server of a run, as a process of its own."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from cc.links.defaults import PACKET_BYTES
from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.process import Process
from e2e.laboratory.result import SchemeDecisions

START_LIMIT_S = 20.0
ORIGIN = "http://localhost:8080"
"""What receivers claim to be."""


class _Ready(msgspec.Struct):
    event: str
    port: int


class _Event(msgspec.Struct):
    event: str
    lateness_p99_s: float | None = None


@dataclass(frozen=True, slots=True)
class Farewell:
    """What a server said at its end."""

    decisions: Sequence[SchemeDecisions] = ()
    """One for each session whose sender asked a policy."""
    lateness_p99_s: float | None = None
    """By how much its loop woke late."""


class MediaServer:
    """One that serves."""

    def __init__(self, child: Child, port: int) -> None:
        self._child = child
        self.port = port

    @property
    def state(self) -> dict[str, object]:
        """For a failure's state."""
        return self._child.state

    def cpu_s(self) -> float | None:
        """CPU seconds used so far, user and system; None where the system does not tell (not Linux)."""
        if sys.platform != "linux":
            return None
        return Process(self._child.pid).cpu_s

    async def finish(self) -> Farewell:
        """Ends it; what it said then."""
        lines = await self._child.stop()
        events = [msgspec.json.decode(line, type=_Event) for line in lines]
        return Farewell(
            [
                msgspec.json.decode(line, type=SchemeDecisions)
                for line, event in zip(lines, events, strict=True)
                if event.event == "policy"
            ],
            next((event.lateness_p99_s for event in events if event.event == "stopping"), None),
        )


@asynccontextmanager
async def start_media_server(
    folder: Path, *, host: str, seed: int, qlog_folder: Path | None
) -> AsyncIterator[MediaServer]:
    """Raises ChildError."""
    command = [sys.executable, "-m", "transport", "serve", str(folder), "--workers", "1"]
    command += ["--host", host, "--port", "0", "--origin", ORIGIN, "--seed", str(seed), "--stop-with-stdin"]
    command += ["--max-datagram-bytes", str(PACKET_BYTES)]
    async with await Child.start("media server", [*command, *_qlog(qlog_folder)]) as child:
        line = await child.next_line(START_LIMIT_S)
        try:
            ready = msgspec.json.decode(line, type=_Ready)
        except msgspec.DecodeError as error:
            raise ChildError(f'the media server said "{line}" instead of that it is ready') from error
        yield MediaServer(child, ready.port)


def _qlog(folder: Path | None) -> Sequence[str]:
    return () if folder is None else ("--qlog-dir", str(folder))
