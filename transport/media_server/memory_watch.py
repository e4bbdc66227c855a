"""What all connections together make the server keep, looked at four times a second.

A viewer behind a long queue has megabytes in flight, and takes them within a second or two. Who keeps as much and takes
little is stuck: only that is held to a limit for which 512 connections have little room.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from transport.media_server.admission.prefixes import PREFIXES_A_HOUSEHOLD, household_of, prefix_of

INTERVAL_S = 0.25
TAKING_S = 2.0
"""What was taken in this time counts twice against what is kept: queues of up to 2 s are no sign of bad will."""
STUCK_CONNECTION_LIMIT_BYTES = 3 * 2**20
STUCK_LIMIT_BYTES = 24 * 2**20
"""With 512 connections of 54 kB that hold nothing, 53 MB."""
CONNECTION_LIMIT_BYTES = 6 * 2**20
TOTAL_LIMIT_BYTES = 2**30
"""256 viewers, each with all in flight that may be: 1.75 MiB weigh less than 3."""
LOOKS = 1 + round(TAKING_S / INTERVAL_S)
REASON = "the server keeps too much for this connection"

logger = logging.getLogger(__name__)


class Taker(Protocol):
    """A connection that is sent something."""

    def taken_bytes(self) -> int:
        """What its client has acknowledged on its path so far."""


class Keeper(Taker, Protocol):
    """One for which something is kept."""

    @property
    def peer_host(self) -> str | None:
        """Its client's address; None before the first packet."""

    def held_bytes(self) -> int:
        """What is kept for it."""

    def dismiss(self, reason: str) -> None:
        """Ends at once."""


T = TypeVar("T", bound=Taker)


class Takers:
    """How much each connection has taken lately."""

    def __init__(self) -> None:
        self._taken_bytes: dict[Taker, list[int]] = {}
        """At the last looks, the newest last."""

    def stuck_bytes(self, held_bytes: Mapping[T, int]) -> dict[T, int]:
        """What is kept beyond twice what was taken; to be asked each `INTERVAL_S`, of all who live."""
        self._taken_bytes = {keeper: self._taken_bytes.get(keeper) or [0] for keeper in held_bytes}
        stuck_bytes: dict[T, int] = {}
        for keeper in held_bytes:
            taken_bytes = self._taken_bytes[keeper]
            if keeper.taken_bytes() < taken_bytes[-1]:  # it counts anew on a new path, which has its time, too
                taken_bytes.clear()
                taken_bytes.append(-held_bytes[keeper])
            taken_bytes.append(keeper.taken_bytes())
            del taken_bytes[:-LOOKS]
            stuck_bytes[keeper] = max(0, held_bytes[keeper] - 2 * (taken_bytes[-1] - taken_bytes[0]))
        return stuck_bytes


def greediest(kept_bytes: Mapping[Keeper, int], *, each_bytes: int, total_bytes: int) -> list[Keeper]:
    """Those that have to go, so that both limits hold.

    Of the address that has most kept, or the household of IPv6 that has twice as much, the connection with most goes
    first: who comes from many addresses has little kept for each, and must not push out a viewer by that.
    """
    if sum(kept_bytes.values()) <= total_bytes and max(kept_bytes.values(), default=0) <= each_bytes:
        return []
    leaving = [keeper for keeper, kept in kept_bytes.items() if kept > each_bytes]
    staying = {keeper: kept for keeper, kept in kept_bytes.items() if kept <= each_bytes}
    prefixes = {keeper: "" if keeper.peer_host is None else prefix_of(keeper.peer_host) for keeper in staying}
    of_prefix: Counter[str] = Counter()
    of_household: Counter[str] = Counter()
    for keeper, kept in staying.items():
        of_prefix[prefixes[keeper]] += kept
        of_household[household_of(prefixes[keeper])] += kept

    def weight(keeper: Keeper) -> tuple[float, int]:
        prefix = prefixes[keeper]
        return max(of_prefix[prefix], of_household[household_of(prefix)] / PREFIXES_A_HOUSEHOLD), staying[keeper]

    while sum(of_prefix.values()) > total_bytes:
        worst = max(staying, key=weight)
        kept = staying.pop(worst)
        of_prefix[prefixes[worst]] -= kept
        of_household[household_of(prefixes[worst])] -= kept
        leaving.append(worst)
    return leaving


async def watch(connections: Callable[[], Iterable[Keeper]]) -> None:
    """Send away who has too much kept, until cancelled."""
    takers = Takers()
    while True:
        await asyncio.sleep(INTERVAL_S)
        look_once(connections(), takers)


def look_once(connections: Iterable[Keeper], takers: Takers) -> None:
    """Send them away. Apart from `watch`, whose variables would keep a connection that has ended."""
    held_bytes = {keeper: keeper.held_bytes() for keeper in connections}
    stuck_bytes = takers.stuck_bytes(held_bytes)
    stuck = greediest(stuck_bytes, each_bytes=STUCK_CONNECTION_LIMIT_BYTES, total_bytes=STUCK_LIMIT_BYTES)
    large = greediest(held_bytes, each_bytes=CONNECTION_LIMIT_BYTES, total_bytes=TOTAL_LIMIT_BYTES)
    leaving = dict.fromkeys([*stuck, *large])
    if leaving:
        logger.warning("sent away %d connections: too much was kept for them", len(leaving))
    for keeper in leaving:
        keeper.dismiss(REASON)
