"""A client's UDP socket that tells when and with which ECN code point each datagram came, as asyncio's does not."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from transport.udp.ancillary import CAN_TELL, receive
from transport.udp.arrival import ArrivalTimes, ask_for_arrivals
from transport.udp.marking import CodePoint, ask_for_marks, code_point_of

MAX_DATAGRAM_BYTES = 65_535
DATAGRAMS_PER_TURN = 64  # then timers and other clients get their turn
MOST_WAIT_S = 0.1
"""What waits in the socket because this host is busy is not queued in the network. What waits for longer than this is
queued by a sender that is too fast for this host, and counts as such."""


async def open_endpoint(
    sock: socket.socket, protocol: asyncio.DatagramProtocol, on_arrival: Callable[[float, CodePoint], None]
) -> asyncio.DatagramTransport:
    """Hand the protocol what arrives; before it, `on_arrival` is told when and with which code point.

    Where the system tells of neither this is asyncio's endpoint.
    """
    if CAN_TELL:
        return ClientEndpoint(sock, protocol, on_arrival)
    loop = asyncio.get_running_loop()
    endpoint, _ = await loop.create_datagram_endpoint(lambda: protocol, sock=sock)
    return endpoint


class ClientEndpoint(asyncio.DatagramTransport):
    """Is read until it is empty, not a datagram a turn as asyncio's is. What cannot be sent at once is lost."""

    def __init__(
        self, sock: socket.socket, protocol: asyncio.DatagramProtocol, on_arrival: Callable[[float, CodePoint], None]
    ) -> None:
        super().__init__(extra={"socket": sock})
        self._socket = sock
        self._protocol = protocol
        self._on_arrival = on_arrival
        self._loop = asyncio.get_running_loop()
        self.dropped_datagrams = 0
        self._arrivals = ArrivalTimes(self._loop.time, most_wait_s=MOST_WAIT_S)
        ask_for_marks(sock)
        ask_for_arrivals(sock)
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
        for _ in range(DATAGRAMS_PER_TURN):
            if self.is_closing():
                return  # by what came
            try:
                data, address, ancillary = receive(self._socket, MAX_DATAGRAM_BYTES)
            except BlockingIOError:
                return
            except ConnectionRefusedError:
                continue  # it answers an earlier datagram of ours
            self._on_arrival(self._arrivals.of(ancillary), code_point_of(ancillary))
            self._protocol.datagram_received(data, address)
