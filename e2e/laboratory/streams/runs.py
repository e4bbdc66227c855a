"""One arm, once: a server, clients in processes of their own, and what they took and got."""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import msgspec

from cc.command_line.clone import ROOT
from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.media_server import ORIGIN
from e2e.laboratory.places.process import Process
from e2e.laboratory.streams.load import INTERVAL_S, ClientReport, Load, Taken, Window, load_of
from e2e.laboratory.streams.paths import Link, open_paths
from e2e.laboratory.streams.servers import Served, ServerKind, start_server

SESSIONS_A_PROCESS = 10
LEAD_S = 1.0
"""For clients that are ready to open their sessions."""
LEAD_A_SESSION_S = 0.05
WARM_UP_S = {"link": 3.0, "loopback": 1.0}
"""After clients ask: slow start is over."""
START_LIMIT_S = 60.0
REPORT_LIMIT_S = 30.0
PIECE_S = 4.0
"""Of a link's time, asked of a server that keeps whole responses: idle for a round trip then, a hundredth of it."""
PRESET = "on-demand"

Client = Literal["headless receiver", "light sink"]


@dataclass(frozen=True, slots=True)
class Streams:
    """Sessions side by side, each behind its own link."""

    server: ServerKind
    scheme: str
    sessions: int
    link: Link

    @property
    def request_bytes(self) -> int | None:
        """What each asks for at a time; None: once, without end."""
        most_bytes = self.server.request_bytes
        return None if most_bytes is None else min(most_bytes, round(self.link.bytes_per_s * PIECE_S))

    @property
    def name(self) -> str:
        """Of the arm."""
        return f"{self.scheme}, {self.server.name}"


@dataclass(frozen=True, slots=True)
class Bulk:
    """Downloads over loopback, each by a process of its own."""

    server: ServerKind
    scheme: str
    client: Client
    downloads: int = 1

    @property
    def name(self) -> str:
        """Of the arm."""
        return f"{self.scheme}, {self.server.name}"


async def run_streams(arm: Streams, *, seconds: float) -> Load:
    """Raises ChildError."""
    async with AsyncExitStack() as stack:
        server, rss_bytes = await _served(stack, arm.server)
        paths = await stack.enter_async_context(open_paths(arm.link, arm.sessions, server.ports[0]))
        warm_up_s = WARM_UP_S["link"]
        times = _times(warm_up_s + seconds)
        pieces = _pieces(arm.request_bytes)
        commands = [
            [*_receivers(arm.server.root, paths.ports[first : first + SESSIONS_A_PROCESS], arm.scheme, times), *pieces]
            for first in range(0, arm.sessions, SESSIONS_A_PROCESS)
        ]
        clients = await stack.enter_async_context(_children(commands, arm.server.root))
        window = await _begin(clients, arm.sessions, seconds, warm_up_s)
        taken, reports = await _measured(server, rss_bytes, clients, paths.relays, window)
        return load_of(reports, replace(taken, links_late_s=await paths.end()), window)


async def run_bulk(arm: Bulk, *, seconds: float) -> Load:
    """Raises ChildError."""
    async with AsyncExitStack() as stack:
        server, rss_bytes = await _served(stack, arm.server)
        warm_up_s = WARM_UP_S["loopback"]
        ports = itertools.islice(itertools.cycle(server.ports), arm.downloads)
        commands = [_download(arm, port, _times(warm_up_s + seconds)) for port in ports]
        root = ROOT if arm.client == "light sink" else arm.server.root
        clients = await stack.enter_async_context(_children(commands, root))
        window = await _begin(clients, arm.downloads, seconds, warm_up_s)
        taken, reports = await _measured(server, rss_bytes, clients, (), window)
        return load_of(reports, taken, window)


def _download(arm: Bulk, port: int, times: Sequence[str]) -> list[str]:
    if arm.client == "light sink":
        url = f"https://127.0.0.1:{port}/v1/{arm.scheme}"
        command = [sys.executable, "-m", "e2e.laboratory.streams.light_sink", "--url", url, *times]
    else:
        command = _receivers(arm.server.root, [port], arm.scheme, times)
    if arm.downloads > 1:  # they take what the server leaves of the processors
        command = ["nice", "-n", "19", *command]
    return [*command, *_pieces(arm.server.request_bytes)]


def _pieces(request_bytes: int | None) -> list[str]:
    return [] if request_bytes is None else ["--request-bytes", str(request_bytes)]


async def _served(stack: AsyncExitStack, kind: ServerKind) -> tuple[Served, int]:
    """And what was resident before the first session."""
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="nuwa-streams-"))
    server = await stack.enter_async_context(start_server(kind, Path(folder)))
    return server, server.rss_bytes


async def _begin(clients: Sequence[Child], sessions: int, seconds: float, warm_up_s: float) -> Window:
    """Once all of them have started, however long that takes: tell them when to ask. Raises ChildError."""
    for client in clients:
        if (line := await client.next_line(START_LIMIT_S)) != "ready":
            raise ChildError(f'clients said "{line[:200]}" instead of that they are ready')
    begin_at_s = time.time() + LEAD_S + LEAD_A_SESSION_S * sessions
    for client in clients:
        await client.send(str(begin_at_s))
    from_s = begin_at_s + warm_up_s
    return Window(begin_at_s, from_s, from_s + seconds)


def _receivers(root: Path, ports: Sequence[int], scheme: str, times: Sequence[str]) -> list[str]:
    """Of whichever clone the server is of: a receiver's habits are the server's load."""
    command = [sys.executable]
    if root == ROOT:
        command += ["-m", "e2e.laboratory.streams.receivers"]
    else:
        command += ["-P", str(Path(__file__).with_name("receivers.py"))]
    for port in ports:
        command += ["--url", f"https://127.0.0.1:{port}"]
    return [*command, "--scheme", scheme, "--preset", PRESET, *times]


def _times(seconds: float) -> list[str]:
    return ["--origin", ORIGIN, "--seconds", str(seconds + INTERVAL_S), "--interval", str(INTERVAL_S)]


@asynccontextmanager
async def _children(commands: Sequence[list[str]], root: Path) -> AsyncIterator[list[Child]]:
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(await Child.start("clients", command, root=root)) for command in commands
        ]


async def _measured(
    server: Served, rss_bytes: int, clients: Sequence[Child], relays: Sequence[Child], window: Window
) -> tuple[Taken, list[ClientReport]]:
    others = [Process(child.pid) for child in (*clients, *relays)]
    await asyncio.sleep(window.from_s - time.time())
    server_before_s, others_before_s = server.cpu_s, sum(each.cpu_s for each in others)
    await asyncio.sleep(window.to_s - time.time())
    taken = Taken(
        server.cpu_s - server_before_s,
        sum(each.cpu_s for each in others) - others_before_s,
        server.rss_bytes - rss_bytes,
        await server.lateness_s(),
    )
    reports: list[ClientReport] = []
    for client in clients:
        line = await client.next_line(REPORT_LIMIT_S)
        try:
            reports += msgspec.json.decode(line, type=list[ClientReport])
        except msgspec.DecodeError as error:
            raise ChildError(f'clients said "{line[:200]}", which is no report') from error
    return taken, reports
