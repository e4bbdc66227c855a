"""A client's UDP socket that tells with which ECN code point each datagram came, which asyncio's own does not."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from transport.udp.marking import CAN_MARK, CodePoint, ask_for_marks, receive_marked

MAX_DATAGRAM_BYTES = 65_535


async def open_endpoint(
    sock: socket.socket, protocol: asyncio.DatagramProtocol, on_code_point: Callable[[CodePoint], None]
) -> asyncio.DatagramTransport:
    """Hand the protocol what arrives; `on_code_point` is told of each datagram's before the protocol gets it.

    Where the system tells of none this is asyncio's endpoint.
    """
    if CAN_MARK:
        return ClientEndpoint(sock, protocol, on_code_point)
    loop = asyncio.get_running_loop()
    endpoint, _ = await loop.create_datagram_endpoint(lambda: protocol, sock=sock)
    return endpoint


class ClientEndpoint(asyncio.DatagramTransport):
    """Reads a datagram each turn, as asyncio's does; what cannot be sent at once is lost, as in a full network."""

    def __init__(
        self, sock: socket.socket, protocol: asyncio.DatagramProtocol, on_code_point: Callable[[CodePoint], None]
    ) -> None:
        super().__init__()
        self._socket = sock
        self._protocol = protocol
        self._on_code_point = on_code_point
        self._loop = asyncio.get_running_loop()
        self.dropped_datagrams = 0
        ask_for_marks(sock)
        self._loop.add_reader(sock.fileno(), self._read)
        protocol.connection_made(self)

    def sendto(self, data: object, addr: object = None) -> None:
        assert isinstance(data, bytes)
        assert isinstance(addr, tuple)
        try:
            self._socket.sendto(data, addr)
        except OSError:  # full, or no way there: the peer's silence will tell
            self.dropped_datagrams += 1

    def is_closing(self) -> bool:
        return self._socket.fileno() < 0

    def close(self) -> None:
        if not self.is_closing():
            self._loop.remove_reader(self._socket.fileno())
            self._socket.close()

    def _read(self) -> None:
        try:
            data, address, code_point = receive_marked(self._socket, MAX_DATAGRAM_BYTES)
        except (BlockingIOError, ConnectionRefusedError):
            return  # the latter answers an earlier datagram of ours
        self._on_code_point(code_point)
        self._protocol.datagram_received(data, address)
