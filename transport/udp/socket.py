"""UDP sockets as everything here wants them: non-blocking, with room for bursts."""

from __future__ import annotations

import socket

SOCKET_BUFFER_BYTES = 4 * 2**20


def udp_socket(family: int) -> socket.socket:
    """Bound to nothing yet. Raises OSError where the system has none left."""
    sock = socket.socket(family, socket.SOCK_DGRAM)
    sock.setblocking(False)
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        sock.setsockopt(socket.SOL_SOCKET, option, SOCKET_BUFFER_BYTES)
    return sock


def bind(host: str, port: int) -> socket.socket:
    """A socket at this address; raises OSError, naming the address, where it cannot be had."""
    sock = udp_socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise OSError(error.errno, f"cannot listen on UDP {host}:{port}: {error.strerror}") from error
    return sock
