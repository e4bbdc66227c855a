"""One UDP port for several workers: each datagram reaches the worker that its connection ID names.

Each worker has a socket of its own at the one address (SO_REUSEPORT). The kernel asks a program which socket a datagram
is for (SO_ATTACH_REUSEPORT_CBPF, socket(7)), and shows it the UDP payload (net/core/sock_reuseport.c). A worker's IDs
begin with a byte that is its number, modulo how many there are, and a mark. So all that a client sends to an ID that
it was given comes to the worker that gave it, from whatever address. The first ID is the client's, and leads to a
worker by chance; having no mark, it may be led to another.

The parent has all sockets open for as long as it lives: the kernel counts them in the order in which they were bound,
and puts the last into the place of one that is closed.
"""

from __future__ import annotations

import ctypes
import itertools
import secrets
import socket
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from transport.udp.socket import bind

CAN_SHARE = sys.platform == "linux"
SO_ATTACH_REUSEPORT_CBPF = 51  # asm-generic/socket.h; Python's socket module does not name it
INSTRUCTION = struct.Struct("=HBBI")  # struct sock_filter of linux/filter.h
LOAD_BYTE, LOAD_TWO_BYTES, MODULO, RETURN_A, RETURN = 0x30, 0x28, 0x94, 0x16, 0x06  # linux/bpf_common.h
JUMP_IF_SET, JUMP_IF_EQUAL = 0x45, 0x15

FIRST_BYTES = 256
MARK_BYTES = 2
LONG_HEADER = 0x80  # of the first byte, in all versions of QUIC (RFC 8999 section 5)
ID_OF_LONG, ID_OF_SHORT = 6, 1  # where the destination's ID begins: RFC 8999 sections 5.1 and 5.2


@dataclass(frozen=True, slots=True)
class Share:
    """What one worker has of a port."""

    index: int
    of: int
    """How many have it."""
    mark: int
    """Of IDs that any of them gives."""
    descriptor: int
    """Of its socket, which is open when it starts."""

    def __str__(self) -> str:
        return f"{self.index}/{self.of}/{self.mark}/{self.descriptor}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """What `str` has made."""
        index, of, mark, descriptor = map(int, text.split("/"))
        return cls(index, of, mark, descriptor)

    def name_id(self, connection_id: bytes) -> bytes:
        """One that leads to this worker, with what is left of a random ID of eight bytes or more."""
        first = connection_id[0] - connection_id[0] % self.of + self.index
        named = bytes([first if first < FIRST_BYTES else first - self.of]) + self.mark.to_bytes(MARK_BYTES, "big")
        return named + connection_id[len(named) :]

    def open_socket(self, host: str, port: int) -> socket.socket:
        """The worker's, which its parent has bound to that address."""
        sock = socket.socket(fileno=self.descriptor)
        sock.setblocking(False)
        return sock


class SharedPort:
    """The sockets of all workers. Closed, it has nobody any more to hand them to."""

    def __init__(self, host: str, port: int, workers: int) -> None:
        """Two workers at least. Raises OSError where the address, or a program that chooses, cannot be had."""
        self._sockets = [bind(host, port)]  # alone, so that a second parent cannot join it unnoticed
        self._homes: Sequence[int] = ()
        self._mark = secrets.randbelow(2 ** (8 * MARK_BYTES))
        try:
            self._sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            for _ in range(1, workers):
                self._sockets.append(bind(host, self.port, is_shared=True))
            self.route([True] * workers)
        except OSError:
            self.close()
            raise

    @property
    def port(self) -> int:
        """Of all of them."""
        return int(self._sockets[0].getsockname()[1])

    def share(self, index: int) -> Share:
        """One worker's, now and when it is started again."""
        return Share(index, len(self._sockets), self._mark, self._sockets[index].fileno())

    def route(self, takes_sessions: Sequence[bool]) -> None:
        """Send newcomers of those workers that take none to the others, in turn."""
        homes = homes_of(takes_sessions)
        if homes == self._homes:
            return
        program = choosing_program(homes, mark=self._mark)
        kept = ctypes.create_string_buffer(program, len(program))
        filters = struct.pack("@HP", len(program) // INSTRUCTION.size, ctypes.addressof(kept))  # struct sock_fprog
        try:
            self._sockets[0].setsockopt(socket.SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, filters)
        except OSError as error:
            sentence = f"--shared-port: this system chooses no socket by connection ID ({error.strerror}); leave it out"
            raise OSError(error.errno, sentence) from error
        self._homes = homes

    def close(self) -> None:
        """Give the address back, once the workers have ended."""
        for sock in self._sockets:
            sock.close()


def homes_of(takes_sessions: Sequence[bool]) -> Sequence[int]:
    """Where the newcomers of each worker go: to itself if it takes any, and if nobody does."""
    taking = [index for index, takes in enumerate(takes_sessions) if takes]
    others = itertools.cycle(taking or range(len(takes_sessions)))
    return [index if takes or not taking else next(others) for index, takes in enumerate(takes_sessions)]


def choosing_program(homes: Sequence[int], *, mark: int) -> bytes:
    """Returns a worker's index for a datagram; 0 for one that is too short to have an ID.

    A newcomer's long header, whose ID has no mark, goes to its worker's home. All else waits for a worker that is away:
    its successor has the keys to tell clients that their sessions are over.
    """
    workers = len(homes)
    moves = [(index, home) for index, home in enumerate(homes) if index != home]
    return b"".join(
        INSTRUCTION.pack(*instruction)
        for instruction in (
            (LOAD_BYTE, 0, 0, 0),
            (JUMP_IF_SET, 3, 0, LONG_HEADER),
            (LOAD_BYTE, 0, 0, ID_OF_SHORT),
            (MODULO, 0, 0, workers),
            (RETURN_A, 0, 0, 0),
            (LOAD_TWO_BYTES, 0, 0, ID_OF_LONG + 1),
            (JUMP_IF_EQUAL, 0, 3, mark),
            (LOAD_BYTE, 0, 0, ID_OF_LONG),
            (MODULO, 0, 0, workers),
            (RETURN_A, 0, 0, 0),
            (LOAD_BYTE, 0, 0, ID_OF_LONG),
            (MODULO, 0, 0, workers),
            *itertools.chain.from_iterable(
                ((JUMP_IF_EQUAL, 0, 1, index), (RETURN, 0, 0, home)) for index, home in moves
            ),
            (RETURN_A, 0, 0, 0),
        )
    )
