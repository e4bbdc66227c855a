"""An honest client that comes while others attack: how long it waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from cc.registry import scheme
from e2e.abuse.attack import Limit
from e2e.abuse.client.liar import Lies, open_liar
from e2e.laboratory.figures.figure import Reach
from transport.headless.client import OPENING_TIME_LIMIT_S

DURING = Limit("a newcomer's session opens, during", Reach("at most", 1.0), "s")
AFTER = Limit("a newcomer's session opens, after", Reach("at most", 1.0), "s")
SERVED = Limit("others get the page within", Reach("at most", 1.0), "s")
PAGE_LIMIT_S = 10.0


async def session_opens_s(port: int) -> float:
    """How long until a session opened and served something; `OPENING_TIME_LIMIT_S` where it did not by then.

    A busy server opens a session to say that it is busy, and closes it.
    """
    began_s = time.monotonic()
    try:
        async with asyncio.timeout(OPENING_TIME_LIMIT_S), open_liar(port, scheme("newreno"), Lies()) as client:
            await client.download("generated/1000", on_data=lambda data: None)
            return time.monotonic() - began_s
    except (ConnectionError, TimeoutError):
        return OPENING_TIME_LIMIT_S


async def newcomers_open_s(port: int, *, after_s: float, count: int = 1) -> list[float]:
    """`session_opens_s` of some, one after the other."""
    await asyncio.sleep(after_s)
    return [await session_opens_s(port) for _ in range(count)]


async def page_served_s(port: int) -> float:
    """How long the web server's page took on a connection of its own; `PAGE_LIMIT_S` where it did not come."""
    began_s = time.monotonic()
    try:
        async with asyncio.timeout(PAGE_LIMIT_S):
            status, _ = await get(port, "/")
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        return PAGE_LIMIT_S
    return time.monotonic() - began_s if status == 200 else PAGE_LIMIT_S


async def get(
    port: int, path: str, host: str | None = None, headers: Sequence[str] = (), method: str = "GET"
) -> tuple[int, bytes]:
    """Status and answer to one request without a body, with this Host and more headers.

    Raises OSError or IncompleteReadError.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request(path, host or f"127.0.0.1:{port}", ("Connection: close", *headers), method))
        line = await reader.readuntil(b"\r\n")
        return int(line.split(b" ")[1]), line + await reader.read()
    finally:
        writer.close()


def request(path: str, host: str, headers: Sequence[str] = (), method: str = "GET") -> bytes:
    """One without a body."""
    return "\r\n".join((f"{method} {path} HTTP/1.1", f"Host: {host}", *headers, "", "")).encode()
