"""How much a client draws over the link, beside what stock Reno sends to an honest one over the same link."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from cc.core.scheme import Scheme
from cc.registry import SCHEMES, scheme
from e2e.abuse.attack import Limit, Sample
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.ground import Ground
from e2e.abuse.link import open_link
from e2e.abuse.serving import Served, server_child
from e2e.laboratory.figures.figure import Reach
from transport.wire_format.requests import MAX_GENERATED_BYTES

DRAWN = Limit("drawn / stock Reno", Reach("at most", 2.0))
DURATION_S = 10.0
SMALL_DURATION_S = 3.0
RECONNECT_PAUSE_S = 0.02
STOCK = (sys.executable, "-m", "e2e.browser.bench.stock_aioquic_server", ".", "--host", "127.0.0.1", "--port", "0")
STOCK_BYTES = 30_000_000
"""More than the link carries; the stock server holds a response in memory."""


async def drawn_by(
    ground: Ground,
    make_lies: Callable[[], Lies],
    *,
    schemes: Sequence[str] | None = None,
    small_schemes: Sequence[str] = ("bbr",),
    is_reconnecting: bool = False,
) -> list[Sample]:
    """A sample a scheme, all of the registry unless told otherwise. Raises RunError."""
    stock_bytes = await stock_reno_bytes(ground)
    names = small_schemes if ground.is_small else schemes or [each.name for each in SCHEMES]

    async def ratio(name: str) -> Sample:
        drawing = partial(_draw, scheme(name), make_lies, is_reconnecting=is_reconnecting)
        return DRAWN.of(await _sent_bytes(ground, ground.media_server(), drawing) / stock_bytes, name)

    return await ground.each([partial(ratio, name) for name in names])


async def stock_reno_bytes(ground: Ground) -> float:
    """What aioquic's own server with its Reno sends to an honest client in the same time. Raises RunError."""

    async def measure() -> float:
        stock = server_child("stock server", [*STOCK, "--congestion-control", "reno", "--stop-with-stdin"])
        return await _sent_bytes(ground, stock, partial(_draw, scheme("newreno"), Lies, length_bytes=STOCK_BYTES))

    return await ground.once(("stock Reno",), measure)


async def _sent_bytes(
    ground: Ground, server: AbstractAsyncContextManager[Served], draw: Callable[[int, float], Awaitable[None]]
) -> float:
    """What a server sends to the link while somebody draws."""
    folder = Path(tempfile.mkdtemp(dir=ground.folder))
    async with server as served, open_link(served.port, folder) as link:
        began_at_s = time.time()
        await draw(link.port, SMALL_DURATION_S if ground.is_small else DURATION_S)
        ended_at_s = time.time()
    return link.sent_bytes(began_at_s, ended_at_s)


async def _draw(
    of: Scheme,
    make_lies: Callable[[], Lies],
    port: int,
    duration_s: float,
    *,
    is_reconnecting: bool = False,
    length_bytes: int = MAX_GENERATED_BYTES,
) -> None:
    """Downloads for so long; where the server ends the connection, begins anew at once, or waits."""
    loop = asyncio.get_running_loop()
    end_s = loop.time() + duration_s
    async with asyncio.TaskGroup() as group:
        sessions: list[asyncio.Task[None]] = []
        while (left_s := end_s - loop.time()) > 0:
            over = asyncio.Event()
            if is_reconnecting or not sessions:
                sessions.append(group.create_task(_session(of, make_lies(), port, over, length_bytes)))
            try:
                async with asyncio.timeout(left_s):
                    await over.wait()
                    await asyncio.sleep(RECONNECT_PAUSE_S)
            except TimeoutError:
                break
        for session in sessions:
            session.cancel()


async def _session(of: Scheme, lies: Lies, port: int, over: asyncio.Event, length_bytes: int) -> None:
    """One download, until the server ends it; `over` is set then."""
    try:
        async with open_liar(port, of, lies) as client:
            try:
                await client.download(f"generated/{length_bytes}", on_data=lambda data: None)
            finally:
                over.set()
    except ConnectionError:
        over.set()  # refused, or closed: what the server may do
