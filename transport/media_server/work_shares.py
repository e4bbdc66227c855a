"""What the connections of one address may ask for together, looked at four times a second.

Each may ask for a little in any case: who comes from behind the same NAT as somebody with many is served.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from transport.aioquic_adapter.work_budget import WORK_PER_S
from transport.media_server.admission.prefixes import PREFIXES_A_HOUSEHOLD, household_of, prefix_of

INTERVAL_S = 0.25
ADDRESS_WORK_PER_S = WORK_PER_S
"""As one alone may."""
LEAST_WORK_PER_S = 250
"""Of each connection: a paused viewer asks twice a second whether its session lives, which takes 168 of it. What else
viewers acknowledge and ask for they have earned by what they are sent."""


class Asker(Protocol):
    """A connection."""

    @property
    def peer_host(self) -> str | None:
        """Its client's address; None before the first packet."""

    def bound_work(self, per_s: float) -> None:
        """Let its client ask for no more in the long run, beside what it earns."""


def share_per_s(connections: int, of_household: int = 1) -> float:
    """What each of so many connections of an address may ask for, of so many of its /56 in IPv6."""
    of_address = ADDRESS_WORK_PER_S / connections
    return max(LEAST_WORK_PER_S, min(of_address, PREFIXES_A_HOUSEHOLD * ADDRESS_WORK_PER_S / of_household))


async def watch(connections: Callable[[], Iterable[Asker]]) -> None:
    """Bound each by how many its address has, until cancelled."""
    while True:
        await asyncio.sleep(INTERVAL_S)
        bound_each(list(connections()))


def bound_each(connections: Sequence[Asker]) -> None:
    """Give each its share. Apart from `watch`, whose variables would keep a connection that has ended."""
    prefixes = ["" if each.peer_host is None else prefix_of(each.peer_host) for each in connections]
    counts, of_household = Counter(prefixes), Counter(map(household_of, prefixes))
    for each, prefix in zip(connections, prefixes, strict=True):
        each.bound_work(share_per_s(counts[prefix], of_household[household_of(prefix)]))
