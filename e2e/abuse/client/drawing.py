"""A client that downloads without end, and lies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from cc.core.scheme import Scheme
from e2e.abuse.client.liar import Lies, open_liar
from transport.wire_format.requests import MAX_GENERATED_BYTES

RECONNECT_PAUSE_S = 0.02


class NotOpenedError(ConnectionError):
    """The first session did not open: nothing can be drawn, and nothing is proven by that."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is asked for, and how."""

    of: Scheme
    make_lies: Callable[[], Lies]
    """New ones for each connection."""
    is_reconnecting: bool = False
    """Whether it begins anew as soon as the server ends a connection."""
    length_bytes: int = MAX_GENERATED_BYTES
    has_to_open: bool = True
    """Whether a first session that is refused is an error."""

    async def run(self, port: int, *, for_s: float) -> None:
        """Draw for so long from a server on loopback. Raises NotOpenedError, in a group."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + for_s
        async with asyncio.TaskGroup() as group:
            sessions: list[asyncio.Task[None]] = []
            while (left_s := end_s - loop.time()) > 0:
                over = asyncio.Event()
                if self.is_reconnecting or not sessions:
                    sessions.append(group.create_task(self._session(port, over, is_first=not sessions)))
                try:
                    async with asyncio.timeout(left_s):
                        await over.wait()
                        await asyncio.sleep(RECONNECT_PAUSE_S)
                except TimeoutError:
                    break
            for session in sessions:
                session.cancel()

    async def _session(self, port: int, over: asyncio.Event, *, is_first: bool) -> None:
        """One download, until the server ends it; `over` is set then."""
        is_open = False
        try:
            async with open_liar(port, self.of, self.make_lies()) as client:
                is_open = True
                try:
                    await client.download(f"generated/{self.length_bytes}", on_data=lambda data: None)
                finally:
                    over.set()
        except ConnectionError as error:  # refused, or closed: what the server may do
            if is_first and not is_open and self.has_to_open:
                raise NotOpenedError(f"no session of {self.of.name} opened: {error}") from error
            over.set()
