"""ECN code points on UDP sockets: what each datagram that is sent or received carries (RFC 3168 section 5).

They travel in ancillary data. Linux alone is known to take them there for each datagram, and so alone is asked;
elsewhere every datagram is sent and received without a mark.
"""

from __future__ import annotations

import socket
import struct
import sys
from enum import IntEnum

from transport.udp.ancillary import CAN_TELL, Ancillary, SocketAddress

CAN_MARK = CAN_TELL
CODE_POINT_BITS = 0b11  # of what was the type of service, or the traffic class


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
    """Have the system tell of the code points, for `code_point_of`. Raises OSError."""
    if not CAN_MARK:
        return
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_RECVTOS, 1)
    if sock.family == socket.AF_INET6:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVTCLASS, 1)


def code_point_of(ancillary: Ancillary) -> CodePoint:
    """A datagram's code point, if its socket was asked for marks."""
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
