"""How many datagrams, and how many bad ones, a session puts up with (wire_format/PROTOCOL.md, section Limits)."""

from __future__ import annotations

MALFORMED_LIMIT = 50
MALFORMED_WINDOW_S = 10.0
FLOOD_PER_S = 2000
FLOOD_SECONDS = 5


class DatagramLimits:
    """Counts for one session; both questions are answered with what to do now."""

    def __init__(self) -> None:
        self.malformed_total = 0
        self._malformed_times_s: list[float] = []
        self._second = 0
        self._count_in_second = 0
        self._flooded_seconds = 0

    def is_flood(self, *, now_s: float) -> bool:
        """Count a datagram; whether too many have come for too long."""
        second = int(now_s)
        if second != self._second:
            flooded = self._count_in_second > FLOOD_PER_S and second == self._second + 1
            self._flooded_seconds = self._flooded_seconds + 1 if flooded else 0
            self._second = second
            self._count_in_second = 0
        self._count_in_second += 1
        return self._flooded_seconds >= FLOOD_SECONDS

    def is_abuse(self, *, now_s: float) -> bool:
        """Count a malformed datagram; whether there were too many lately."""
        self.malformed_total += 1
        times_s = self._malformed_times_s
        times_s.append(now_s)
        while times_s[0] < now_s - MALFORMED_WINDOW_S:
            del times_s[0]
        return len(times_s) > MALFORMED_LIMIT
