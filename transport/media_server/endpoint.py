"""A UDP socket under aioquic's server that is read until it is empty before anything is answered.

asyncio's own datagram transport reads one datagram per turn of the loop, 15 to 20 us each; draining the socket costs
under 1 us each. A flight leaves in one system call where Linux segments it (UDP_SEGMENT): a sixth of the server's time
was spent sending packets one by one.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import struct
import sys
from collections.abc import Sequence
from typing import Protocol

from aioquic.quic.connection import NetworkAddress

from transport.udp.ancillary import receive
from transport.udp.arrival import ArrivalTimes, ask_for_arrivals
from transport.udp.fragments import forbid_fragments
from transport.udp.socket import receive_drops

MAX_DATAGRAM_BYTES = 65_535
UDP_SEGMENT = 103  # linux/udp.h; Python's socket module does not name it
MAX_SEGMENTS = 64  # UDP_MAX_SEGMENTS in linux/udp.h
MAX_BATCH_BYTES = 65_000
SEGMENTATION_REFUSED = (errno.EINVAL, errno.EIO, errno.ENOPROTOOPT, errno.EOPNOTSUPP)
SHORTEST_TURN_S, LONGEST_TURN_S = 0.02, 0.25
"""Of reading; then timers get theirs, though more be there. In between it may take as long as all else has taken since:
ACKs that are read too slowly wait in the socket, for seconds, while windows grow that they would have bounded."""

logger = logging.getLogger(__name__)


class BatchReceiver(Protocol):
    """Takes what the socket brings."""

    def datagram_arrived(self, data: bytes, addr: NetworkAddress, *, arrived_s: float) -> None:
        """One datagram, which may have waited since it arrived."""

    def finish_batch(self) -> None:
        """The socket is empty, or others have to get their turn."""


class UdpEndpoint(asyncio.DatagramTransport):
    """The server's socket, in the shape that aioquic's server expects of a transport."""

    def __init__(self, sock: socket.socket, server: BatchReceiver) -> None:
        super().__init__()
        self._socket = sock
        self._server = server
        self._loop = asyncio.get_running_loop()
        self.sent_bytes = 0
        """Of UDP payload, handed to the system."""
        self.dropped_datagrams = 0
        """Of those to send: the socket had no room for them."""
        self._can_segment = sys.platform == "linux"
        self._arrivals = ArrivalTimes(self._loop.time)
        self._read_until_s = self._loop.time()
        ask_for_arrivals(sock)
        forbid_fragments(sock)
        self._loop.add_reader(sock.fileno(), self._drain)

    @property
    def address(self) -> NetworkAddress:
        """The bound address."""
        address: NetworkAddress = self._socket.getsockname()
        return address

    def receive_drops(self) -> int | None:
        """Datagrams that came while the socket was full; None where the system does not tell."""
        return receive_drops(self._socket)

    def sendto(self, data: object, addr: object = None) -> None:
        """Send, or lose the datagram as a full queue in the network would."""
        assert isinstance(data, bytes)
        assert isinstance(addr, tuple)
        try:
            self.sent_bytes += self._socket.sendto(data, addr)
        except (BlockingIOError, ConnectionRefusedError):
            self.dropped_datagrams += 1
        except OSError as error:
            self.dropped_datagrams += 1
            logger.debug("cannot send to %s: %s", addr, error)

    def send_flight(self, datagrams: Sequence[tuple[bytes, NetworkAddress]]) -> None:
        """Send datagrams in order, those of one size to one peer in a single call where the system can."""
        start = 0
        while start < len(datagrams):
            end = self._end_of_batch(datagrams, start)
            if end - start == 1:
                self.sendto(*datagrams[start])
            else:
                self._send_batch([data for data, _ in datagrams[start:end]], datagrams[start][1])
            start = end

    def _end_of_batch(self, datagrams: Sequence[tuple[bytes, NetworkAddress]], start: int) -> int:
        """Segmentation takes datagrams of one size, of which the last may be shorter."""
        if not self._can_segment:
            return start + 1
        first, addr = datagrams[start]
        segment_bytes = len(first)
        limit = min(len(datagrams), start + min(MAX_SEGMENTS, MAX_BATCH_BYTES // segment_bytes))
        end = start + 1
        while end < limit and len(datagrams[end][0]) <= segment_bytes and datagrams[end][1] == addr:
            end += 1
            if len(datagrams[end - 1][0]) < segment_bytes:
                break
        return end

    def _send_batch(self, datagrams: list[bytes], addr: NetworkAddress) -> None:
        segment_size = struct.pack("=H", len(datagrams[0]))
        try:
            control = [(socket.IPPROTO_UDP, UDP_SEGMENT, segment_size)]
            self.sent_bytes += self._socket.sendmsg([b"".join(datagrams)], control, 0, addr)
        except BlockingIOError:
            self.dropped_datagrams += len(datagrams)
        except OSError as error:
            if error.errno not in SEGMENTATION_REFUSED:
                self.dropped_datagrams += len(datagrams)
                return
            # an interface or a system without segmentation: from now on one by one
            logger.info("sending datagrams one by one, since segmentation is refused: %s", error)
            self._can_segment = False
            for data in datagrams:
                self.sendto(data, addr)

    def is_closing(self) -> bool:
        return self._socket.fileno() < 0

    def close(self) -> None:
        if not self.is_closing():
            self._loop.remove_reader(self._socket.fileno())
            self._socket.close()

    def _drain(self) -> None:
        sock, arrived_s = self._socket, self._arrivals.of
        now_s = self._loop.time()
        end_of_turn_s = now_s + min(max(SHORTEST_TURN_S, now_s - self._read_until_s), LONGEST_TURN_S)
        while self._loop.time() < end_of_turn_s:
            try:
                data, addr, ancillary = receive(sock, MAX_DATAGRAM_BYTES)
            except BlockingIOError:
                break
            except ConnectionRefusedError:
                continue  # an ICMP answer to a datagram for a peer that has gone
            self._server.datagram_arrived(data, addr, arrived_s=arrived_s(ancillary))
        self._read_until_s = self._loop.time()
        self._server.finish_batch()
