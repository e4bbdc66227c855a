"""Servers under attack, as children on free ports."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.media_server import ORIGIN
from e2e.laboratory.places.process import Process
from e2e.laboratory.typescript import NODE

START_LIMIT_S = 30.0
PRODUCT = (*NODE, "e2e/browser/product/serve.ts")
"""server/'s own serve(), which also says where its transport listens."""


@dataclass(frozen=True, slots=True)
class Served:
    """A server that has said that it is ready."""

    child: Child
    host: str
    port: int
    """UDP of the media server; TCP of the web server."""
    transport: Process
    """The media server's process; where a web server supervises it, the first one's."""

    @property
    def process(self) -> Process:
        """Of the child itself."""
        return Process(self.child.pid)

    @property
    def url(self) -> str:
        """Of the server; a media server's is behind https."""
        scheme = "https" if self.process == self.transport else "http"
        return f"{scheme}://{self.host}:{self.port}"


def media_server(film: Path, *options: str) -> AbstractAsyncContextManager[Served]:
    """`nuwa serve` for receivers of `ORIGIN`, ended with the block. Raises ChildError."""
    command = [sys.executable, "-m", "transport", "serve", str(film), "--workers", "1"]
    return server_child("media server", [*command, "--origin", ORIGIN, "--stop-with-stdin", *options])


@asynccontextmanager
async def server_child(name: str, command: Sequence[str]) -> AsyncIterator[Served]:
    """A server that says in a line of JSON that it is ready, ended with the block. Raises ChildError."""
    async with await Child.start(name, command) as child:
        ready = json.loads(await child.next_line(START_LIMIT_S))
        yield Served(child, "127.0.0.1", ready["port"], Process(child.pid))


@asynccontextmanager
async def web_server(film: Path, *options: str) -> AsyncIterator[Served]:
    """Web server, supervisor and media server, ended with the block; needs node. Raises ChildError."""
    if shutil.which("node") is None:
        raise ChildError("the web server needs node, and there is none on the PATH")
    player, data = film.with_name("player"), film.with_name("data")
    player.mkdir(exist_ok=True)
    (player / "index.html").write_text("<!doctype html><title>page</title>\n", encoding="ascii")
    presentation = {
        **{"directory": str(film), "manifestPath": "manifest.mpd", "title": "Sample"},
        **{"durationSeconds": 4, "representations": [], "reused": True},
    }
    arguments = ["--port", "0", "--data", str(data), *options]
    async with await Child.start("web server", PRODUCT) as child:
        order = {"args": arguments, "presentation": presentation, "playerDirectory": str(player)}
        await child.send(json.dumps(order))
        address, transport = None, None
        while address is None or transport is None:
            line = await child.next_line(START_LIMIT_S)
            if line.startswith("{"):
                transport = Process(json.loads(line)["pid"])
            elif found := re.search(r"is ready: https?://[^:/]+:([0-9]+)", line):
                address = int(found[1])
        yield Served(child, "127.0.0.1", address, transport)
