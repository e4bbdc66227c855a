"""A client that reads well until the server's window is large, and then gives no more credit."""

from __future__ import annotations

import asyncio

from e2e.abuse.client.liar import Liar
from transport.wire_format.requests import MAX_GENERATED_BYTES

QUIET_S = 1.0
"""So long nothing comes when the credit is used up."""


async def read_then_starve(client: Liar, read_bytes: int) -> asyncio.Task[object]:
    """The download, still open, when all credit is used up."""
    came = asyncio.Event()
    total_bytes = 0

    def on_data(data: bytes) -> None:
        nonlocal total_bytes
        total_bytes += len(data)
        client.connection.is_stingy = total_bytes >= read_bytes
        came.set()

    path = f"generated/{MAX_GENERATED_BYTES}"
    download: asyncio.Task[object] = asyncio.create_task(client.download(path, on_data=on_data))
    try:
        while not download.done():
            came.clear()
            async with asyncio.timeout(QUIET_S if client.connection.is_stingy else None):
                await came.wait()
    except TimeoutError:
        pass
    return download


async def cancel(download: asyncio.Task[object]) -> None:
    """Tell the server that nobody wants it."""
    download.cancel()
    await asyncio.wait({download})
