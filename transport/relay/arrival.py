"""The relay's clock, and when by it a datagram came: before the process was woken to read it.

Linux stamps datagrams on request, by the clock of the day (socket(7), SO_TIMESTAMPNS); elsewhere they count as come
when they are read.
"""

from __future__ import annotations

import socket
import struct
import sys
import time

CAN_STAMP = sys.platform == "linux" and struct.calcsize("l") == struct.calcsize("q")
"""Where a long has 32 bits the stamp has another form."""

_SO_TIMESTAMPNS = 35  # Linux' asm-generic/socket.h; Python's socket has no name for it
_TIMESPEC = struct.Struct("@ll")
_ANCILLARY_BYTES = socket.CMSG_SPACE(_TIMESPEC.size) if CAN_STAMP else 0

Address = tuple[str | int, ...]


def clock_s() -> float:
    """The relay's clock; `time.monotonic` steps by 15 ms on Windows."""
    return time.perf_counter()


def ask_for_arrivals(sock: socket.socket) -> None:
    """Have the system tell `receive_arrived` when datagrams came. Raises OSError."""
    if CAN_STAMP:
        sock.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)


def receive_arrived(sock: socket.socket, size_bytes: int) -> tuple[bytes, Address, float]:
    """A datagram, from where, and when it came, by `clock_s`: now, if the system was not asked. Raises OSError.

    A clock of the day that was set in between makes a time of any size, though none that lies ahead.
    """
    if not CAN_STAMP:
        data, address = sock.recvfrom(size_bytes)
        return data, address, clock_s()
    data, ancillary, _, address = sock.recvmsg(size_bytes, _ANCILLARY_BYTES)
    for level, kind, value in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, _SO_TIMESTAMPNS):
            seconds, nanoseconds = _TIMESPEC.unpack(value)
            waited_ns = time.time_ns() - (seconds * 1_000_000_000 + nanoseconds)
            return data, address, clock_s() - max(0, waited_ns) / 1e9
    return data, address, clock_s()
