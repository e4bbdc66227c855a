"""Which datagram sizes a path is asked about, and the largest that it is known to carry (RFC 8899 section 5).

Pure: no clock, no socket. One probe is under way at a time. Among the sizes that are left, those that were lost least
often come first, and of these the largest: a path of Ethernet needs one probe, and a lost one costs a narrower path
little.
"""

from __future__ import annotations

BASE_BYTES = 1200
"""Every path of QUIC carries it (RFC 9000 section 14)."""
MOST_BYTES = 1472
"""UDP payload of an IPv4 packet of 1500 bytes."""
MOST_BYTES_IPV6 = 1452
CANDIDATES_BYTES = (MOST_BYTES, MOST_BYTES_IPV6, 1372, 1280)
"""Ethernet; PPPoE, or Ethernet under IPv6; WireGuard's tunnels; those of mobile networks."""
MOST_TAKEN_BYTES = 1500
"""Of UDP payload that arrives, which the server tells its clients. Ethernet brings 1472; what is larger comes over
loopback, or a network of jumbo frames, and asks for more work than one datagram should."""
PROBES_PER_SIZE = 3  # MAX_PROBES of RFC 8899 section 5.1.2
SEARCH_AGAIN_S = 600.0  # PMTU_RAISE_TIMER of RFC 8899 section 5.1.1


class SizeSearch:
    """Of one path."""

    def __init__(self, most_bytes: int) -> None:
        """`most_bytes`: what sender and receiver take, whatever the path does."""
        self.size_bytes = BASE_BYTES
        """What the path carries."""
        sizes = {most_bytes, *CANDIDATES_BYTES}
        self._losses = {size: 0 for size in sorted(sizes, reverse=True) if BASE_BYTES < size <= most_bytes}
        """Of the probes of each candidate."""
        self._is_under_way = False
        self._done_s: float | None = None
        """When nothing was left to ask."""

    @property
    def is_done(self) -> bool:
        """Whether every larger candidate has been lost so often that the path does not carry it."""
        return not self._left()

    def due_bytes(self, *, now_s: float) -> int | None:
        """The size of the probe that may leave now; None for none."""
        if self._is_under_way:
            return None
        left = self._left()
        if not left:
            self._done_s = now_s if self._done_s is None else self._done_s
            if now_s - self._done_s < SEARCH_AGAIN_S:
                return None
            self._done_s = None
            self._losses = dict.fromkeys(self._losses, 0)
            left = self._left()
        return min(left, key=lambda size: (self._losses[size], -size), default=None)

    def on_sent(self) -> None:
        """A probe of that size has left."""
        self._is_under_way = True

    def on_arrived(self, size_bytes: int) -> None:
        """The probe has been acknowledged."""
        self._is_under_way = False
        self.size_bytes = size_bytes

    def on_lost(self, size_bytes: int) -> None:
        """The probe has been declared lost, which says nothing of congestion (RFC 9000 section 14.4)."""
        self._is_under_way = False
        self._losses[size_bytes] += 1

    def _left(self) -> list[int]:
        return [size for size, losses in self._losses.items() if size > self.size_bytes and losses < PROBES_PER_SIZE]
