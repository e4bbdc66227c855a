"""What all connections together make the server keep, looked at four times a second."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Protocol

from transport.media_server.admission.prefixes import prefix_of

INTERVAL_S = 0.25
CONNECTION_LIMIT_BYTES = 3 * 2**20
TOTAL_LIMIT_BYTES = 24 * 2**20
"""With 512 connections of 56 kB that hold nothing, 54 MB."""
REASON = "the server keeps too much for this connection"

logger = logging.getLogger(__name__)


class Keeper(Protocol):
    """A connection."""

    @property
    def peer_host(self) -> str | None:
        """Its client's address; None before the first packet."""

    def held_bytes(self) -> int:
        """What is kept for it."""

    def dismiss(self, reason: str) -> None:
        """Ends at once."""


def greediest(held_bytes: dict[Keeper, int]) -> list[Keeper]:
    """Those that have to go, so that each limit holds.

    Of the address that has most kept the connection with most goes first: who comes from many addresses has little kept
    for each, and must not push out a viewer by that.
    """
    leaving = [keeper for keeper, held in held_bytes.items() if held > CONNECTION_LIMIT_BYTES]
    staying = {keeper: held for keeper, held in held_bytes.items() if keeper not in leaving}
    total_bytes = sum(staying.values())
    of_prefix: Counter[str] = Counter()
    prefixes = {keeper: "" if keeper.peer_host is None else prefix_of(keeper.peer_host) for keeper in staying}
    for keeper, held in staying.items():
        of_prefix[prefixes[keeper]] += held
    while total_bytes > TOTAL_LIMIT_BYTES:
        worst = max(staying, key=lambda keeper: (of_prefix[prefixes[keeper]], staying[keeper]))
        held = staying.pop(worst)
        of_prefix[prefixes[worst]] -= held
        total_bytes -= held
        leaving.append(worst)
    return leaving


async def watch(connections: Callable[[], Iterable[Keeper]]) -> None:
    """Send away who has too much kept, until cancelled."""
    while True:
        await asyncio.sleep(INTERVAL_S)
        leaving = greediest({keeper: keeper.held_bytes() for keeper in connections()})
        if leaving:
            logger.warning("sent away %d connections: too much was kept for them", len(leaving))
        for keeper in leaving:
            keeper.dismiss(REASON)
