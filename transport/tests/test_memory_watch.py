"""Who has to go when too much is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from transport.media_server.memory_watch import INTERVAL_S, TAKING_S, Keeper, Takers, greediest

EACH_BYTES, TOTAL_BYTES = 3_000, 16_000
SHARE_BYTES = TOTAL_BYTES // 16


@dataclass(eq=False)
class Held:
    """A connection from an address."""

    peer_host: str | None = "192.0.2.1"
    taken: int = 0

    def held_bytes(self) -> int:
        """Not asked."""
        raise AssertionError

    def taken_bytes(self) -> int:
        """As the test says."""
        return self.taken

    def dismiss(self, reason: str) -> None:
        """Not asked."""
        raise AssertionError


def who_leaves(kept_bytes: Mapping[Keeper, int]) -> list[Keeper]:
    return greediest(kept_bytes, each_bytes=EACH_BYTES, total_bytes=TOTAL_BYTES)


def test_nobody_goes_while_there_is_room() -> None:
    assert who_leaves({Held(): SHARE_BYTES for _ in range(16)}) == []


def test_who_has_too_much_kept_goes_alone() -> None:
    greedy, other = Held(), Held()
    assert who_leaves({greedy: EACH_BYTES + 1, other: 1}) == [greedy]


def test_of_the_address_with_most_the_largest_goes_first() -> None:
    viewer = Held()
    crowd = [Held("192.0.2.2") for _ in range(16)]
    kept: dict[Keeper, int] = {viewer: SHARE_BYTES + 100, **dict.fromkeys(crowd, SHARE_BYTES - 7)}
    kept[crowd[5]] = SHARE_BYTES
    assert who_leaves(kept) == [crowd[5]]


def test_a_household_of_ipv6_counts_as_one_address() -> None:
    viewer = Held()
    crowd = [Held(f"2001:db8:0:{number}::1") for number in range(16)]
    kept: dict[Keeper, int] = {viewer: SHARE_BYTES + 100, **dict.fromkeys(crowd, SHARE_BYTES - 7)}
    kept[crowd[5]] = SHARE_BYTES
    assert who_leaves(kept) == [crowd[5]]


def test_a_household_may_keep_twice_what_an_address_may() -> None:
    phones = [Held(f"2001:db8:0:{number}::1") for number in range(10)]
    attackers = [Held("192.0.2.9") for _ in range(7)]
    kept: dict[Keeper, int] = {**dict.fromkeys(phones, SHARE_BYTES), **dict.fromkeys(attackers, SHARE_BYTES)}
    (leaving,) = who_leaves(kept)
    assert leaving in attackers


def test_a_connection_without_an_address_counts_too() -> None:
    assert len(who_leaves({Held(None): SHARE_BYTES for _ in range(20)})) == 4


def test_who_takes_what_it_has_kept_is_not_stuck() -> None:
    viewer, liar = Held(), Held()
    takers = Takers()
    for look in range(40):
        viewer.taken += 250  # as much as is kept for it in two seconds, behind a queue of as long
        stuck = takers.stuck_bytes({viewer: 2_000, liar: 2_000})
        if look * INTERVAL_S >= TAKING_S:
            assert stuck == {viewer: 0, liar: 2_000}


def test_who_stops_taking_is_stuck_two_seconds_later() -> None:
    liar = Held(taken=1_000_000)
    takers = Takers()
    looks = [takers.stuck_bytes({liar: 2_000})[liar] for _ in range(1 + round(TAKING_S / INTERVAL_S))]
    assert looks == [0] * (len(looks) - 1) + [2_000]


def test_a_new_path_on_which_all_is_counted_anew_has_its_time() -> None:
    viewer = Held(taken=1_000_000)
    takers = Takers()
    takers.stuck_bytes({viewer: 2_000})
    viewer.taken = 0
    looks = [takers.stuck_bytes({viewer: 2_000})[viewer] for _ in range(1 + round(TAKING_S / INTERVAL_S))]
    assert looks == [0] * (len(looks) - 1) + [2_000]
