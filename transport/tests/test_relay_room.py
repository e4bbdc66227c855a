"""How much may wait in the relay, and who gets it."""

from __future__ import annotations

from transport.relay.room import PACKET_BYTES, Room, Share

PACKET = 1000 - PACKET_BYTES
"""A payload that counts as 1000 bytes."""


def fill(share: Share) -> int:
    """How many packets find room."""
    count = 0
    while share.take(PACKET):
        count += 1
    return count


def test_one_way_alone_gets_half_of_the_room_and_the_next_half_of_the_rest() -> None:
    room = Room(100_000)
    assert fill(Share(room)) == 50
    assert fill(Share(room)) == 25


def test_ways_that_flood_together_leave_as_much_as_each_of_them_has() -> None:
    room = Room(100_000)
    flooding = [Share(room) for _ in range(9)]
    while any([share.take(PACKET) for share in flooding]):
        pass
    assert {share.packets for share in flooding} == {10}
    assert room.free_bytes == 10_000


def test_a_way_may_have_a_bound_of_its_own_until_it_is_taken_away() -> None:
    share = Share(Room(100_000), most_bytes=3500)
    assert fill(share) == 3
    share.most_bytes = None
    assert fill(share) == 47


def test_what_goes_makes_room() -> None:
    room = Room(10_000)
    share = Share(room)
    assert fill(share) == 5
    share.give_back(PACKET)
    assert (share.packets, share.bytes, room.free_bytes) == (4, 4000, 6000)
    share.give_all_back()
    assert (share.packets, share.bytes, room.free_bytes) == (0, 0, 10_000)
