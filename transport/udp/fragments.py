"""Datagrams that arrive whole or not at all: routers may not cut them, which QUIC forbids (RFC 9000 section 14).

Linux alone is asked, by ip(7): it sends what fits its own interface, whatever ICMP has told of the path, since anybody
can forge that.
"""

from __future__ import annotations

import socket
import sys

CAN_FORBID_FRAGMENTS = sys.platform == "linux"
IP_MTU_DISCOVER, IP_PMTUDISC_PROBE = 10, 3  # linux/in.h; Python's socket module does not name them
IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE = 23, 3  # linux/in6.h


def forbid_fragments(sock: socket.socket) -> None:
    """Set it for all that this socket sends. Raises OSError."""
    if not CAN_FORBID_FRAGMENTS:
        return
    if sock.family in (socket.AF_INET, socket.AF_INET6):  # a socket of IPv6 may speak to an address of IPv4, too
        sock.setsockopt(socket.IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE)
    if sock.family == socket.AF_INET6:
        sock.setsockopt(socket.IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE)
