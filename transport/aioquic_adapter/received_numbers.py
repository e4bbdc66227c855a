"""Which packet numbers have come lately, a bit each: aioquic keeps a set of up to 257 numbers, 16 kB a connection."""

from __future__ import annotations

from aioquic.quic.recovery import MAX_ACK_RANGES

SIZE = 2 * MAX_ACK_RANGES
"""As many as aioquic asks for: what is older counts as having come."""
ALL = (1 << SIZE) - 1


class ReceivedNumbers:
    """In place of `QuicPacketNumberWindow`, by which duplicates are found."""

    __slots__ = ("_bits", "_newest")

    def __init__(self) -> None:
        self._newest = SIZE - 1
        """The highest number that the bits reach to, whether it has come or not."""
        self._bits = 0
        """The lowest is the newest number's, the highest that of the oldest that is told from others."""

    def add(self, packet_number: int) -> None:
        """It has come."""
        ahead = packet_number - self._newest
        if ahead > 0:
            self._newest = packet_number
            self._bits = (self._bits << ahead & ALL if ahead < SIZE else 0) | 1  # the peer chooses how far ahead
        elif ahead > -SIZE:  # what is older counts as having come
            self._bits |= 1 << -ahead

    def __contains__(self, packet_number: int) -> bool:
        age = self._newest - packet_number
        return age >= SIZE or (age >= 0 and bool(self._bits >> age & 1))
