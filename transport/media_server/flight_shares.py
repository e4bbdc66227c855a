"""What all connections together have in flight, looked at four times a second.

It is kept for them until they acknowledge it. A process sends some 350 Mbit/s. What nobody has taken for long has a
ceiling of its own (`memory_watch`): it takes no room from those who watch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from transport.aioquic_adapter.scheme_controller import MAX_IN_FLIGHT_BYTES
from transport.media_server.max_min import fair_level
from transport.media_server.memory_watch import Taker, Takers

INTERVAL_S = 0.25
GROWTH = 2.0
"""Until the next look no flight is expected to grow by more."""


class Flight(Taker, Protocol):
    """Of a connection."""

    @property
    def bytes_in_flight(self) -> int:
        """What is not acknowledged."""

    def bound_flight(self, most_bytes: int) -> None:
        """Let no more be in flight from now on."""


def share_bytes(bytes_in_flight: Sequence[int], *, total_bytes: int) -> int:
    """What each may have in flight so that all together have so much: max-min fair, by what each may soon want."""
    wanted_bytes = (min(MAX_IN_FLIGHT_BYTES, GROWTH * each) for each in bytes_in_flight)
    return int(min(MAX_IN_FLIGHT_BYTES, fair_level(wanted_bytes, total=total_bytes)))


async def watch(flights: Callable[[], Iterable[Flight]], *, total_bytes: int) -> None:
    """Bound each so that all together have no more, until cancelled."""
    takers = Takers()
    while True:
        await asyncio.sleep(INTERVAL_S)
        bound_each(list(flights()), takers, total_bytes=total_bytes)


def bound_each(flights: Sequence[Flight], takers: Takers, *, total_bytes: int) -> None:
    """Give each its share. Apart from `watch`, whose variables would keep a connection that has ended."""
    bytes_in_flight = {flight: flight.bytes_in_flight for flight in flights}
    stuck_bytes = takers.stuck_bytes(bytes_in_flight)
    moving_bytes = [bytes_in_flight[flight] - stuck_bytes[flight] for flight in flights]
    share = share_bytes(moving_bytes, total_bytes=total_bytes)
    for flight in flights:
        flight.bound_flight(share)
