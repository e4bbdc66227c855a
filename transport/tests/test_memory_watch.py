"""Who has to go when too much is kept."""

from __future__ import annotations

from dataclasses import dataclass

from transport.media_server.memory_watch import CONNECTION_LIMIT_BYTES, TOTAL_LIMIT_BYTES, Keeper, greediest

SHARE = TOTAL_LIMIT_BYTES // 16


@dataclass(frozen=True)
class Held:
    """A connection from an address."""

    number: int
    peer_host: str | None

    def held_bytes(self) -> int:
        """Not asked."""
        raise AssertionError

    def dismiss(self, reason: str) -> None:
        """Not asked."""
        raise AssertionError


def test_nobody_goes_while_there_is_room() -> None:
    assert greediest({Held(number, "192.0.2.1"): SHARE for number in range(16)}) == []


def test_who_has_too_much_kept_goes_alone() -> None:
    greedy, other = Held(1, "192.0.2.1"), Held(2, "192.0.2.1")
    assert greediest({greedy: CONNECTION_LIMIT_BYTES + 1, other: 1}) == [greedy]


def test_of_the_address_with_most_the_largest_goes_first() -> None:
    viewer = Held(0, "192.0.2.1")
    crowd = [Held(number, "192.0.2.2") for number in range(1, 17)]
    held: dict[Keeper, int] = {viewer: SHARE + 100, **dict.fromkeys(crowd, SHARE - 7), crowd[5]: SHARE}
    assert greediest(held) == [crowd[5]]


def test_a_connection_without_an_address_counts_too() -> None:
    held: dict[Keeper, int] = {Held(number, None): SHARE for number in range(20)}
    assert len(greediest(held)) == 4
