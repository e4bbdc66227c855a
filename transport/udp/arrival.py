"""When each datagram arrived, on the clock of whoever reads it, however late that is.

Linux notes the time of day at which a datagram reached the machine (SO_TIMESTAMPNS, socket(7)). The difference of the
two clocks brings it to the reader's monotonic one. Only a step of the time of day, or a sleep of the machine, changes
that difference, since both clocks follow the same corrections of their rate; so it is looked at with every datagram.
What was noted before a step, or cannot be right, has arrived when it is read; where no system notes, everything has.
"""

from __future__ import annotations

import math
import socket
import struct
import time
from collections.abc import Callable

from transport.udp.ancillary import CAN_TELL, Ancillary

SO_TIMESTAMPNS = 35  # asm-generic/socket.h; Python's socket module does not name it
TIMESPEC = struct.Struct("@ll")
NANOSECONDS_PER_S = 1_000_000_000
LEAST_STEP_NS = 100_000  # reading one clock after the other takes less, unless something comes between
ATTEMPTS = 5  # to read both without that


def ask_for_arrivals(sock: socket.socket) -> None:
    """Have the system note when datagrams arrive. Raises OSError."""
    if CAN_TELL:
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)


class ArrivalTimes:
    """Of one socket's datagrams, in the order in which they are read, in seconds of `clock_s`."""

    def __init__(
        self,
        clock_s: Callable[[], float],
        *,
        most_wait_s: float = math.inf,
        time_of_day_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        """`clock_s`: a monotonic clock. `most_wait_s`: what has waited for longer has arrived so long ago."""
        self._clock_s = clock_s
        self._most_wait_s = most_wait_s
        self._time_of_day_ns = time_of_day_ns
        self._ahead_ns = self._time_of_day_ahead_ns()
        self._since_s = self._last_s = clock_s()

    def of(self, ancillary: Ancillary) -> float:
        """When the datagram that was just read arrived: not before one that was read earlier, nor after now."""
        now_s = self._clock_s()
        noted_ns = _noted_ns(ancillary)
        self._last_s = now_s if noted_ns is None else max(self._last_s, self._arrival_s(noted_ns, now_s))
        return self._last_s

    def _arrival_s(self, noted_ns: int, now_s: float) -> float:
        ahead_ns = self._time_of_day_ns() - round(now_s * NANOSECONDS_PER_S)
        if abs(ahead_ns - self._ahead_ns) > LEAST_STEP_NS:
            ahead_ns = self._time_of_day_ahead_ns()
            if abs(ahead_ns - self._ahead_ns) > LEAST_STEP_NS:
                self._ahead_ns = ahead_ns
                self._since_s = self._clock_s()
                return now_s
        arrival_s = (noted_ns - self._ahead_ns) / NANOSECONDS_PER_S
        if not self._since_s <= arrival_s <= now_s:
            return now_s
        return max(arrival_s, now_s - self._most_wait_s)

    def _time_of_day_ahead_ns(self) -> int:
        """By how much the time of day is ahead: of some looks at both clocks the least interrupted one."""
        best_ns, least_s = 0, float("inf")
        for _ in range(ATTEMPTS):
            before_s = self._clock_s()
            time_of_day_ns = self._time_of_day_ns()
            after_s = self._clock_s()
            if after_s - before_s < least_s:
                least_s = after_s - before_s
                best_ns = time_of_day_ns - round((before_s + after_s) / 2 * NANOSECONDS_PER_S)
        return best_ns


def _noted_ns(ancillary: Ancillary) -> int | None:
    for level, kind, value in ancillary:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS and len(value) >= TIMESPEC.size:
            seconds, nanoseconds = TIMESPEC.unpack_from(value)
            return int(seconds) * NANOSECONDS_PER_S + int(nanoseconds)
    return None
