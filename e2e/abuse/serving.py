"""Servers under attack, as children on free ports, and what the system says of their processes (Linux)."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.media_server import ORIGIN, parse_cpu_s

START_LIMIT_S = 30.0
PRODUCT = ("node", "--import", "tsx", "e2e/browser/product/serve.ts")
"""server/'s own serve(), which also says where its transport listens."""


@dataclass(frozen=True, slots=True)
class Process:
    """What /proc says of one (proc(5))."""

    pid: int

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return Path(f"/proc/{self.pid}").is_dir()

    @property
    def rss_bytes(self) -> int:
        """Resident memory."""
        return self._status_bytes("VmRSS")

    @property
    def peak_rss_bytes(self) -> int:
        """The most that was resident since the peak was forgotten; no library tells this one on Linux."""
        return self._status_bytes("VmHWM")

    def forget_peak(self) -> int:
        """What is resident; the peak counts from there (proc(5), clear_refs)."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5", encoding="ascii")
        return self.rss_bytes

    @property
    def descriptors(self) -> int:
        """Open files and sockets."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    @property
    def cpu_s(self) -> float:
        """CPU seconds used so far, user and system."""
        stat = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii", errors="replace")
        return parse_cpu_s(stat, ticks_per_s=os.sysconf("SC_CLK_TCK"))

    def _status_bytes(self, field: str) -> int:
        try:
            status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace")
        except FileNotFoundError as error:
            raise ChildError(f"process {self.pid} has ended: nothing is known of its memory") from error
        found = re.search(rf"^{field}:\s*([0-9]+) kB$", status, re.MULTILINE)
        if found is None:
            raise ChildError(f"process {self.pid} has no {field}: it has ended")
        return int(found[1]) * 1024


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
    command = [sys.executable, "-m", "transport", "serve", str(film), "--origin", ORIGIN, "--stop-with-stdin"]
    return server_child("media server", [*command, *options])


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
            elif found := re.search(r"is ready: http://[^:/]+:([0-9]+)", line):
                address = int(found[1])
        yield Served(child, "127.0.0.1", address, transport)
