"""How much may wait in the relay: a flood must not take the machine's memory, nor all the room from others."""

from __future__ import annotations

MOST_BYTES = 128 * 2**20
"""Of all ways of all clients together."""
PACKET_BYTES = 900
"""What Python's objects take for a packet that waits and its client, who may have gone, besides its data: measured."""
STRANGER_BYTES = 64 * 2**10
"""Of a way that one client has alone, until the server has sent that client what only a connection brings."""


class Room:
    """What all ways of a relay hold together.

    A way may hold as much as is free besides ("Dynamic queue length thresholds for shared-memory packet switches",
    Choudhury and Hahne, IEEE/ACM ToN 1998): one alone gets half of the room, and newcomers as much as each that floods.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.free_bytes = most_bytes


class Share:
    """What one way holds of the room, its packets' objects counted."""

    def __init__(self, room: Room, *, most_bytes: int | None = None) -> None:
        """`most_bytes`: None bounds it by the room alone."""
        self._room = room
        self.most_bytes = most_bytes
        self.bytes = 0
        self.packets = 0

    def take(self, payload_bytes: int) -> bool:
        """Make room for a packet; whether there is some."""
        size_bytes = payload_bytes + PACKET_BYTES
        after_bytes = self.bytes + size_bytes
        free_bytes = self._room.free_bytes
        if after_bytes > free_bytes or (self.most_bytes is not None and after_bytes > self.most_bytes):
            return False
        self.bytes = after_bytes
        self.packets += 1
        self._room.free_bytes = free_bytes - size_bytes
        return True

    def give_back(self, payload_bytes: int) -> None:
        """The packet has gone."""
        size_bytes = payload_bytes + PACKET_BYTES
        self.bytes -= size_bytes
        self.packets -= 1
        self._room.free_bytes += size_bytes

    def give_all_back(self) -> None:
        """The way itself has gone."""
        self._room.free_bytes += self.bytes
        self.bytes = self.packets = 0
