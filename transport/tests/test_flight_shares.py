"""What each connection may have in flight."""

from __future__ import annotations

import asyncio
import weakref
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.aioquic_adapter.scheme_controller import MAX_IN_FLIGHT_BYTES
from transport.media_server import flight_shares
from transport.media_server.flight_shares import share_bytes
from transport.media_server.memory_watch import Takers
from transport.tests.serving import run

flights = st.lists(st.integers(0, MAX_IN_FLIGHT_BYTES), max_size=50)


@pytest.mark.parametrize(
    ("bytes_in_flight", "share"),
    [
        pytest.param([], MAX_IN_FLIGHT_BYTES, id="nobody"),
        pytest.param([20_000, 29_000], MAX_IN_FLIGHT_BYTES, id="both may double"),
        pytest.param([10_000, 10_000, 90_000], 60_000, id="who has little keeps its room, and the third has the rest"),
        pytest.param([50_000, 50_000], 50_000, id="who has its share keeps it"),
        pytest.param([10_000, 70_000, 80_000], 40_000, id="two that want more share alike"),
        pytest.param([0, 0, 0, 100_000], 100_000, id="who has nothing in flight takes no share"),
    ],
)
def test_shares_of_100_kB(bytes_in_flight: list[int], share: int) -> None:
    assert share_bytes(bytes_in_flight, total_bytes=100_000) == share


@given(flights, st.integers(1, 10**8))
def test_together_they_never_have_more(bytes_in_flight: list[int], total_bytes: int) -> None:
    share = share_bytes(bytes_in_flight, total_bytes=total_bytes)
    assert sum(min(each, share) for each in bytes_in_flight) <= total_bytes


@dataclass(eq=False)
class Flight:
    """With 100 kB in flight, that notes its first bound."""

    takes: bool = True
    looks: int = 0
    bound_bytes: asyncio.Future[int] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def bytes_in_flight(self) -> int:
        """As said."""
        return 100_000

    def taken_bytes(self) -> int:
        """All of it between two looks, or nothing."""
        self.looks += self.takes
        return 100_000 * self.looks

    def bound_flight(self, most_bytes: int) -> None:
        """Noted."""
        if not self.bound_bytes.done():
            self.bound_bytes.set_result(most_bytes)


def test_all_are_bound_by_what_they_may_have_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flight_shares, "INTERVAL_S", 0.0)

    async def whole() -> None:
        flights = [Flight(), Flight()]
        watching = asyncio.create_task(flight_shares.watch(lambda: flights, total_bytes=120_000))
        assert [await flight.bound_bytes for flight in flights] == [60_000, 60_000]
        watching.cancel()

    run(whole())


def test_what_nobody_takes_leaves_the_others_their_room() -> None:
    async def whole() -> None:
        flights = [Flight(takes=False) for _ in range(10)] + [Flight(), Flight()]
        flight_shares.bound_each(flights, Takers(), total_bytes=240_000)
        assert {await flight.bound_bytes for flight in flights} == {120_000}

    asyncio.run(whole())


def test_nothing_is_kept_of_flights_that_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flight_shares, "INTERVAL_S", 0.0)

    async def whole() -> None:
        flights = [Flight()]
        watching = asyncio.create_task(flight_shares.watch(lambda: flights, total_bytes=1_000_000))
        await flights[0].bound_bytes
        over = weakref.ref(flights.pop())
        async with asyncio.timeout(5):
            while over() is not None:
                await asyncio.sleep(0)
        watching.cancel()

    asyncio.run(whole())
