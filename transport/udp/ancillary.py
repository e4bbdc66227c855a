"""Datagrams with what the system tells beside them (recvmsg(2)), where it can."""

from __future__ import annotations

import socket
import sys

CAN_TELL = sys.platform == "linux"
"""Linux alone is known to tell of each datagram, and so alone is asked."""
ROOM_BYTES = 128  # for a code point and a time, with their headers

Ancillary = list[tuple[int, int, bytes]]
SocketAddress = tuple[str | int, ...]


def receive(sock: socket.socket, size_bytes: int) -> tuple[bytes, SocketAddress, Ancillary]:
    """A datagram, from where, and what the system was asked to tell. Raises OSError."""
    if not CAN_TELL:
        data, address = sock.recvfrom(size_bytes)
        return data, address, []
    data, ancillary, _, address = sock.recvmsg(size_bytes, ROOM_BYTES)
    return data, address, ancillary
