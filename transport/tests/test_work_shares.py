"""What the connections of an address may ask for together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from transport.aioquic_adapter.work_budget import WORK_PER_S
from transport.media_server import work_shares
from transport.media_server.work_shares import ADDRESS_WORK_PER_S, LEAST_WORK_PER_S, bound_each, share_per_s
from transport.tests.serving import run


@dataclass(eq=False)
class Asker:
    """Notes its bound."""

    peer_host: str | None
    per_s: float | None = None

    def bound_work(self, per_s: float) -> None:
        """Noted."""
        self.per_s = per_s


def test_an_address_gains_nothing_by_many_connections() -> None:
    assert share_per_s(1) == WORK_PER_S
    assert 10 * share_per_s(10) == ADDRESS_WORK_PER_S
    assert share_per_s(1000) == LEAST_WORK_PER_S


def test_connections_of_other_addresses_leave_the_share_as_it_is() -> None:
    crowd = [Asker(f"2001:db8::{number}") for number in range(50)]
    viewer, newcomer = Asker("192.0.2.1"), Asker(None)
    bound_each([*crowd, viewer, newcomer])
    assert {each.per_s for each in crowd} == {share_per_s(50)}
    assert viewer.per_s == newcomer.per_s == share_per_s(1)


def test_a_household_of_ipv6_has_what_two_addresses_have() -> None:
    crowd = [Asker(f"2001:db8:0:{number}::1") for number in range(8)]
    bound_each(crowd)
    assert {8 * each.per_s for each in crowd if each.per_s is not None} == {2 * ADDRESS_WORK_PER_S}


def test_they_are_looked_at_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_shares, "INTERVAL_S", 0.0)

    async def whole() -> None:
        askers = [Asker("192.0.2.1")]
        watching = asyncio.create_task(work_shares.watch(lambda: askers))
        for count in (1, 10):
            askers[:] = [Asker("192.0.2.1") for _ in range(count)]
            async with asyncio.timeout(5):
                while askers[-1].per_s is None:
                    await asyncio.sleep(0)
            assert askers[-1].per_s == share_per_s(count)
        watching.cancel()

    run(whole())
