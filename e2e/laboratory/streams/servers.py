"""The servers that are compared, each as a process of its own."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from cc.command_line.clone import ROOT
from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.media_server import ORIGIN
from e2e.laboratory.places.process import Process

START_LIMIT_S = 20.0
LOOK_INTERVAL_S = 0.05
LATENESS = "nuwa_transport_lateness_seconds{"
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
    options: tuple[str, ...] = ()


TOLD = ("--metrics-port", "0")
OURS = ServerKind("ours", ("transport", "serve"), options=("--workers", "1", *TOLD))
STOCK = ServerKind("stock aioquic", ("e2e.browser.bench.stock_aioquic_server",), request_bytes=STOCK_REQUEST_BYTES)
QH3 = ServerKind("stock qh3", ("e2e.browser.bench.stock_qh3_server",), request_bytes=STOCK_REQUEST_BYTES)
FIELD = {"aioquic": STOCK, "qh3": QH3}
"""Servers of others, by their packages."""


def installed_field() -> list[ServerKind]:
    """What of it can be run here."""
    return [server for package, server in FIELD.items() if find_spec(package) is not None]


def beside(root: Path) -> ServerKind:
    """The media server of another clone."""
    can_be_several = (root / "transport" / "media_server" / "workers").is_dir()
    return ServerKind(f"{root.name}'s", OURS.module, root, options=OURS.options if can_be_several else ())


def several(workers: int) -> ServerKind:
    """Ours as so many processes."""
    return ServerKind(f"{workers} workers", OURS.module, options=("--workers", str(workers), *TOLD))


@dataclass(frozen=True, slots=True)
class Served:
    """One that has said that it is ready."""

    child: Child
    ports: tuple[int, ...]
    """One of each worker."""
    metrics_port: int | None = None
    """None where it tells no metrics."""

    @property
    def cpu_s(self) -> float:
        """Used so far by all of its processes."""
        return sum(process.cpu_s for process in self._processes)

    @property
    def rss_bytes(self) -> int:
        """Of all of its processes."""
        return sum(process.rss_bytes for process in self._processes)

    async def lateness_s(self) -> float | None:
        """How late its loop woke in the last second, p99, of the latest worker; None where it does not tell."""
        if self.metrics_port is None:
            return None
        url = f"http://127.0.0.1:{self.metrics_port}/metrics"
        return latest_s(await asyncio.to_thread(_read, url))

    @property
    def _processes(self) -> list[Process]:
        parent = Process(self.child.pid)
        return [parent, *parent.children]


@asynccontextmanager
async def start_server(kind: ServerKind, folder: Path) -> AsyncIterator[Served]:
    """On a free port of loopback, ended with the block. Raises ChildError."""
    command = [sys.executable, "-m", *kind.module, str(folder), "--host", "127.0.0.1", "--port", "0"]
    command += ["--origin", ORIGIN, "--stop-with-stdin", *kind.options]
    async with await Child.start(f"the server of {kind.name}", command, root=kind.root) as child:
        ready = json.loads(await child.next_line(START_LIMIT_S))
        workers = ready.get("workers", [ready])
        metrics_port = ready.get("metrics_port")
        if metrics_port is not None:
            await asyncio.to_thread(wait_until_tried, metrics_port)
        yield Served(child, tuple(worker["port"] for worker in workers), metrics_port)


def wait_until_tried(metrics_port: int) -> None:
    """Until a server that tells metrics has opened its first session with itself, whose memory is no viewer's.

    Raises ChildError.
    """
    end_s = time.monotonic() + START_LIMIT_S
    while True:
        try:
            _read(f"http://127.0.0.1:{metrics_port}/healthz")
        except ChildError as error:
            if not isinstance(error.__cause__, urllib.error.HTTPError) or time.monotonic() > end_s:
                raise
        else:
            return
        time.sleep(LOOK_INTERVAL_S)


def latest_s(metrics: str) -> float | None:
    """Of all workers, from what a server tells Prometheus; None where there is no such metric."""
    lines = [line for line in metrics.splitlines() if line.startswith(LATENESS)]
    return max((float(line.rsplit(" ", 1)[1]) for line in lines), default=None)


def _read(url: str) -> str:
    """Raises ChildError."""
    try:
        with urllib.request.urlopen(url, timeout=START_LIMIT_S) as answer:
            text: str = answer.read().decode()
            return text
    except OSError as error:
        raise ChildError(f"{url} does not answer: {error}") from error
