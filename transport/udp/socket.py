"""UDP sockets as everything here wants them: non-blocking, with room for bursts."""

from __future__ import annotations

import socket
import struct
import sys

SOCKET_BUFFER_BYTES = 4 * 2**20
SO_MEMINFO = 55  # of asm-generic/socket.h; Python has no name for it
MEMINFO_COUNTS, DROPS = 9, 8  # SK_MEMINFO_VARS and SK_MEMINFO_DROPS of linux/sock_diag.h


def udp_socket(family: int) -> socket.socket:
    """Bound to nothing yet. Raises OSError where the system has none left."""
    sock = socket.socket(family, socket.SOCK_DGRAM)
    sock.setblocking(False)
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        sock.setsockopt(socket.SOL_SOCKET, option, SOCKET_BUFFER_BYTES)
    return sock


def bind(host: str, port: int, *, is_shared: bool = False) -> socket.socket:
    """A socket at this address, with others of this user that share it, too, if it `is_shared`.

    Raises OSError, naming the address, where it cannot be had.
    """
    sock = udp_socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if host == "::":
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # of IPv4, too
        if is_shared:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        raise OSError(error.errno, f"cannot listen on UDP {address}: {error.strerror}") from error
    return sock


def buffer_problem(sock: socket.socket) -> str | None:
    """What the system granted less of than was asked for, and what to do; None where it granted all."""
    received, sent = (_granted_bytes(sock, option) for option in (socket.SO_RCVBUF, socket.SO_SNDBUF))
    if min(received, sent) >= SOCKET_BUFFER_BYTES:
        return None
    granted = f"{received // 1024} KiB to receive and {sent // 1024} KiB to send"
    wanted = f"{SOCKET_BUFFER_BYTES // 1024} KiB each way"
    problem = f"the system grants a UDP socket {granted}, not {wanted}: of many sessions bursts are lost"
    if sys.platform != "linux":
        return problem
    return f"{problem}; sysctl -w net.core.rmem_max={SOCKET_BUFFER_BYTES} net.core.wmem_max={SOCKET_BUFFER_BYTES}"


def _granted_bytes(sock: socket.socket, option: int) -> int:
    kept_bytes = sock.getsockopt(socket.SOL_SOCKET, option)
    return (
        kept_bytes // 2 if sys.platform == "linux" else kept_bytes
    )  # Linux doubles it, for its own records: socket(7)


def receive_drops(sock: socket.socket) -> int | None:
    """Datagrams that came while there was no room for them; None where the system does not tell."""
    if sys.platform != "linux":
        return None
    try:
        counts = sock.getsockopt(socket.SOL_SOCKET, SO_MEMINFO, 4 * MEMINFO_COUNTS)
    except OSError:  # Linux before 4.12, or what only resembles it
        return None
    return int(struct.unpack(f"={MEMINFO_COUNTS}I", counts)[DROPS])
