"""An event loop whose time passes when it is told to: half a minute of timeouts in a millisecond."""

from __future__ import annotations

import asyncio
import selectors
import socket
import sys
from collections import deque

Address = tuple[str, int]
SHORTEST_WAIT_S = 1e-6
"""Of each turn: a timer that is due at once, or within a rounding error, would be armed again for ever."""


class MemorySocket(socket.socket):
    """A UDP socket without a network: it receives what is delivered, and keeps what is sent."""

    def __init__(self) -> None:
        super().__init__(socket.AF_INET, socket.SOCK_DGRAM)
        self.delivered: deque[tuple[bytes, Address]] = deque()
        self.sent: deque[tuple[bytes, Address]] = deque()

    def recvfrom(self, bufsize: int, flags: int = 0) -> tuple[bytes, Address]:
        del bufsize, flags
        if not self.delivered:
            raise BlockingIOError
        return self.delivered.popleft()

    def recvmsg(
        self, bufsize: int, ancbufsize: int = 0, flags: int = 0
    ) -> tuple[bytes, list[tuple[int, int, bytes]], int, Address]:
        """Nobody notes when anything arrived."""
        del ancbufsize
        data, address = self.recvfrom(bufsize, flags)
        return data, [], 0, address

    def sendto(self, data: object, *flags_and_address: object) -> int:
        assert isinstance(data, bytes)
        self._keep(data, flags_and_address[-1])
        return len(data)

    def sendmsg(self, buffers: object, ancdata: object = (), flags: int = 0, address: object = None) -> int:
        """Segmented as the system does it: the ancillary data says after how many bytes."""
        del flags
        assert isinstance(buffers, list)
        data = b"".join(buffers)
        segment_bytes = len(data)
        if isinstance(ancdata, list) and ancdata:
            segment_bytes = int.from_bytes(ancdata[0][2], sys.byteorder)
        for start in range(0, len(data), segment_bytes):
            self._keep(data[start : start + segment_bytes], address)
        return len(data)

    def _keep(self, datagram: bytes, address: object) -> None:
        assert isinstance(address, tuple)
        self.sent.append((datagram, address))

    def getsockname(self) -> Address:
        return ("192.0.2.1", 4433)


class VirtualLoop(asyncio.SelectorEventLoop):
    """Timers fire as `advance` passes them; one socket is in memory."""

    def __init__(self, memory_socket: MemorySocket) -> None:
        self._now_s = 1000.0
        super().__init__(_Selector(self, memory_socket))

    def time(self) -> float:
        return self._now_s

    def advance(self, seconds: float) -> None:
        """Let time pass, and everything happen that is due by then."""
        self.call_later(seconds, self.stop)
        self.run_forever()

    def pass_time(self, seconds: float) -> None:
        """Nothing else was ready for so long."""
        self._now_s += max(SHORTEST_WAIT_S, seconds)


class _Selector(selectors.SelectSelector):
    """Reports the memory socket when it has something; instead of waiting it lets virtual time pass."""

    def __init__(self, loop: VirtualLoop, memory_socket: MemorySocket) -> None:
        super().__init__()
        self._loop = loop
        self._socket = memory_socket

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self._socket.delivered:
            return [(self.get_key(self._socket.fileno()), selectors.EVENT_READ)]
        if timeout == 0:
            self._loop.pass_time(0)
            return []
        others = super().select(0.05 if timeout is None else 0)  # without a timer only a thread can go on
        if not others and timeout is not None:
            self._loop.pass_time(timeout)
        return others
