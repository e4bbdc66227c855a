"""A UDP socket under aioquic's server that is read until it is empty before anything is answered.

asyncio's own datagram transport reads one datagram per turn of the loop, 15 to 20 us each; draining the socket costs
under 1 us each.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import weakref
from collections.abc import Callable

from aioquic.asyncio.server import QuicServer
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import NetworkAddress

from transport.aioquic_adapter.protocol import BatchedProtocol

SOCKET_BUFFER_BYTES = 4 * 2**20
MAX_DATAGRAM_BYTES = 65_535
DATAGRAMS_PER_TURN = 256  # then timers and other connections get their turn

logger = logging.getLogger(__name__)


class UdpEndpoint(asyncio.DatagramTransport):
    """The server's socket, in the shape that aioquic's server expects of a transport."""

    def __init__(self, sock: socket.socket, server: BatchedServer) -> None:
        super().__init__()
        self._socket = sock
        self._server = server
        self._loop = asyncio.get_running_loop()
        self.dropped_datagrams = 0
        self._loop.add_reader(sock.fileno(), self._drain)

    @property
    def address(self) -> NetworkAddress:
        """The bound address."""
        address: NetworkAddress = self._socket.getsockname()
        return address

    def sendto(self, data: object, addr: object = None) -> None:
        """Send, or lose the datagram as a full queue in the network would."""
        assert isinstance(data, bytes)
        assert isinstance(addr, tuple)
        try:
            self._socket.sendto(data, addr)
        except (BlockingIOError, ConnectionRefusedError):
            self.dropped_datagrams += 1
        except OSError as error:
            self.dropped_datagrams += 1
            logger.debug("cannot send to %s: %s", addr, error)

    def is_closing(self) -> bool:
        return self._socket.fileno() < 0

    def close(self) -> None:
        if not self.is_closing():
            self._loop.remove_reader(self._socket.fileno())
            self._socket.close()

    def _drain(self) -> None:
        receive = self._socket.recvfrom
        for _ in range(DATAGRAMS_PER_TURN):
            try:
                data, addr = receive(MAX_DATAGRAM_BYTES)
            except BlockingIOError:
                break
            except ConnectionRefusedError:
                continue  # an ICMP answer to a datagram for a peer that has gone
            self._server.datagram_received(data, addr)
        self._server.finish_batch()


class BatchedServer(QuicServer):
    """aioquic's server, whose connections answer once per batch."""

    def __init__(
        self, *, configuration: QuicConfiguration, create_protocol: Callable[..., BatchedProtocol], retry: bool = False
    ) -> None:
        self._received: dict[BatchedProtocol, None] = {}
        self.connections: weakref.WeakSet[BatchedProtocol] = weakref.WeakSet()
        """Every connection that has not been forgotten yet."""

        def create(*args: object, **kwargs: object) -> BatchedProtocol:
            protocol = create_protocol(*args, **kwargs)
            protocol.on_received = self._note_received
            self.connections.add(protocol)
            return protocol

        super().__init__(configuration=configuration, create_protocol=create, retry=retry)

    def finish_batch(self) -> None:
        """Let every connection that received something answer."""
        received, self._received = self._received, {}
        for protocol in received:
            protocol.finish_batch()

    def _note_received(self, protocol: BatchedProtocol) -> None:
        self._received[protocol] = None


def bind(host: str, port: int) -> socket.socket:
    """A non-blocking UDP socket with large buffers; raises OSError where the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_DGRAM)
    sock.setblocking(False)
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        sock.setsockopt(socket.SOL_SOCKET, option, SOCKET_BUFFER_BYTES)
    try:
        sock.bind((host, port))
    except OSError:
        sock.close()
        raise
    return sock
