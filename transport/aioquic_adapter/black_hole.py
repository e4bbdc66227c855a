"""Whether a path has stopped to carry packets of more than the base size (RFC 8899 section 4.3).

Nothing tells so but their loss. It is held for a black hole's where none that was sent later has arrived. A path that
was merely congested, or down for a while, is asked for its size anew and soon has it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cc.core.base import SentPacket
from transport.aioquic_adapter.size_search import BASE_BYTES

LOSSES = 6
"""Of larger packets that were sent after the newest of them that has arrived."""
TIMEOUTS = 2
"""In a row, while larger packets are in flight: where nothing comes back, nothing is declared lost."""


class BlackHoleWatch:
    """Of a path on which larger packets have begun to be sent."""

    def __init__(self, first_number: int) -> None:
        """`first_number`: of the packets that may be larger."""
        self._newest_arrived = first_number - 1
        self._losses = 0

    def on_acked(self, packets: Sequence[SentPacket]) -> None:
        """These have arrived, in order of packet number."""
        for packet in reversed(packets):
            if packet.size_bytes > BASE_BYTES:
                if packet.packet_number > self._newest_arrived:
                    self._newest_arrived = packet.packet_number
                    self._losses = 0
                return

    def on_lost(self, packets: Iterable[SentPacket]) -> None:
        """These have been declared lost, once what arrived was told."""
        self._losses += sum([self._is_suspect(packet) for packet in packets])

    def has_found_one(self, *, timeouts: int, in_flight: Iterable[SentPacket]) -> bool:
        """`timeouts`: probe timeouts since anything was acknowledged (RFC 9002 section 6.2)."""
        if self._losses >= LOSSES:
            return True
        return timeouts >= TIMEOUTS and any(self._is_suspect(packet) for packet in in_flight)

    def _is_suspect(self, packet: SentPacket) -> bool:
        return packet.size_bytes > BASE_BYTES and packet.packet_number > self._newest_arrived
