"""The servers that are compared, each as a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from cc.command_line.clone import ROOT
from e2e.laboratory.places.child import Child
from e2e.laboratory.places.media_server import ORIGIN
from e2e.laboratory.places.process import Process

START_LIMIT_S = 20.0
STOCK_REQUEST_BYTES = 50_000_000
"""It keeps a whole response in memory."""


@dataclass(frozen=True, slots=True)
class ServerKind:
    """A program that serves."""

    name: str
    module: tuple[str, ...]
    root: Path = ROOT
    """The clone that it is of."""
    request_bytes: int | None = None
    """The most that a client asks for at a time; None where there is no such limit."""


OURS = ServerKind("ours", ("transport", "serve"))
STOCK = ServerKind("stock aioquic", ("e2e.browser.bench.stock_aioquic_server",), request_bytes=STOCK_REQUEST_BYTES)


def beside(root: Path) -> ServerKind:
    """The media server of another clone."""
    return ServerKind(f"{root.name}'s", OURS.module, root)


@dataclass(frozen=True, slots=True)
class Served:
    """One that has said that it is ready."""

    child: Child
    port: int

    @property
    def process(self) -> Process:
        """What the system says of it."""
        return Process(self.child.pid)


@asynccontextmanager
async def start_server(kind: ServerKind, folder: Path) -> AsyncIterator[Served]:
    """On a free port of loopback, ended with the block. Raises ChildError."""
    command = [sys.executable, "-m", *kind.module, str(folder), "--host", "127.0.0.1", "--port", "0"]
    command += ["--origin", ORIGIN, "--stop-with-stdin"]
    async with await Child.start(f"the server of {kind.name}", command, root=kind.root) as child:
        ready = json.loads(await child.next_line(START_LIMIT_S))
        yield Served(child, ready["port"])
