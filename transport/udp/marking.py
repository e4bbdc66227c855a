"""ECN code points on UDP sockets: what each datagram that is sent or received carries (RFC 3168 section 5).

They travel in ancillary data. Linux alone is known to take them there for each datagram, and so alone is asked;
elsewhere every datagram is sent and received without a mark.
"""

from __future__ import annotations

import socket
import struct
import sys
from enum import IntEnum

CAN_MARK = sys.platform == "linux"
CODE_POINT_BITS = 0b11  # of what was the type of service, or the traffic class
ANCILLARY_BYTES = 64  # room for one number, with its header

Ancillary = list[tuple[int, int, bytes]]
SocketAddress = tuple[str | int, ...]


class CodePoint(IntEnum):
    """As on the wire."""

    NOT_ECT = 0b00
    ECT1 = 0b01
    ECT0 = 0b10
    CE = 0b11


def send_marked(sock: socket.socket, data: bytes, address: SocketAddress, code_point: CodePoint) -> None:
    """Send a datagram with this code point; only where `CAN_MARK`. Raises OSError."""
    sock.sendmsg([data], _ANCILLARY[sock.family, code_point], 0, address)


def ask_for_marks(sock: socket.socket) -> None:
    """Have the system tell `receive_marked` the code points. Raises OSError."""
    if not CAN_MARK:
        return
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_RECVTOS, 1)
    if sock.family == socket.AF_INET6:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVTCLASS, 1)


def receive_marked(sock: socket.socket, size_bytes: int) -> tuple[bytes, SocketAddress, CodePoint]:
    """A datagram, from where, and its code point if `ask_for_marks` was called. Raises OSError."""
    if not CAN_MARK:
        data, address = sock.recvfrom(size_bytes)
        return data, address, CodePoint.NOT_ECT
    data, ancillary, _, address = sock.recvmsg(size_bytes, ANCILLARY_BYTES)
    return data, address, _code_point(ancillary)


def _code_point(ancillary: Ancillary) -> CodePoint:
    for level, kind, value in ancillary:
        if (level, kind) in _KINDS:
            return CodePoint(value[0] & CODE_POINT_BITS if sys.byteorder == "little" else value[-1] & CODE_POINT_BITS)
    return CodePoint.NOT_ECT


def _kinds() -> dict[tuple[int, int], int]:
    """Of ancillary data, with the family of the packets that have it."""
    if not CAN_MARK:
        return {}
    return {
        (socket.IPPROTO_IP, socket.IP_TOS): socket.AF_INET,
        (socket.IPPROTO_IPV6, socket.IPV6_TCLASS): socket.AF_INET6,
    }


_KINDS = _kinds()
_ANCILLARY: dict[tuple[int, CodePoint], Ancillary] = {
    # a socket of IPv6 may speak to an address of IPv4, too: the system takes of both what fits
    (family, code_point): [
        (level, kind, struct.pack("=i", code_point))
        for (level, kind), packets in _KINDS.items()
        if family == socket.AF_INET6 or packets == socket.AF_INET
    ]
    for family in (socket.AF_INET, socket.AF_INET6)
    for code_point in CodePoint
}
