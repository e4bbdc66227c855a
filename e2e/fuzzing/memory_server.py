"""The media server as it is started, on a socket without a network and in virtual time."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import Any

from e2e.fuzzing.target import HungError
from e2e.fuzzing.virtual_loop import Address, MemorySocket, VirtualLoop
from e2e.fuzzing.wire_samples import ORIGIN
from transport.media_server.server import start_server
from transport.media_server.server_options import ServerOptions

SEGMENT_BYTES = 4000


class UnexpectedError(Exception):
    """The server caught a fault of its own: it went on, and yet it is one."""


class MemoryServer:
    """A server with one small segment. What it logs as an error, and what its loop is told of, is raised by `check`."""

    def __init__(self) -> None:
        self.socket = MemorySocket()
        self.loop = VirtualLoop(self.socket)
        self._faults = _Faults()
        self._folder = tempfile.TemporaryDirectory(prefix="nuwa-fuzz-")
        directory = Path(self._folder.name)
        (directory / "seg.m4s").write_bytes(bytes(SEGMENT_BYTES))
        self.loop.set_exception_handler(self._faults.on_loop_exception)
        self._quiet = _Quiet(self._faults)
        options = ServerOptions(directory=directory, host="192.0.2.1", port=0, origins=frozenset({ORIGIN}), seed=1)
        self.server = self.loop.run_until_complete(start_server(options, open_socket=lambda host, port: self.socket))

    def deliver(self, datagram: bytes, address: Address, *, wait_s: float) -> list[tuple[bytes, Address]]:
        """What the server sends within a time after a datagram has come."""
        self.socket.delivered.append((datagram, address))
        return self.wait(wait_s)

    def wait(self, seconds: float) -> list[tuple[bytes, Address]]:
        """What the server sends meanwhile. Raises UnexpectedError."""
        self.loop.advance(seconds)
        sent = list(self.socket.sent)
        self.socket.sent.clear()
        self._faults.check()
        return sent

    def close(self) -> None:
        """Stop, and remove the film."""
        self.loop.run_until_complete(self.server.stop())
        self.loop.close()
        self._quiet.end()
        self._folder.cleanup()


class _Quiet:
    """A million refusals are not for the terminal: only faults are told, and those to a handler."""

    def __init__(self, faults: logging.Handler) -> None:
        self._own, self._aioquic = logging.getLogger("transport"), logging.getLogger("quic")
        self._before = (self._own.level, self._own.propagate, self._aioquic.level)
        self._faults = faults
        self._own.addHandler(faults)
        self._own.propagate = False
        self._own.setLevel(logging.ERROR)
        self._aioquic.setLevel(logging.CRITICAL)

    def end(self) -> None:
        """Leave all as it was."""
        level, self._own.propagate, aioquic_level = self._before
        self._own.setLevel(level)
        self._aioquic.setLevel(aioquic_level)
        self._own.removeHandler(self._faults)


class _Faults(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._first: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._first = self._first or error or UnexpectedError(record.getMessage())

    def on_loop_exception(self, loop: object, context: dict[str, Any]) -> None:
        del loop
        self._first = self._first or context.get("exception") or UnexpectedError(str(context["message"]))

    def check(self) -> None:
        first, self._first = self._first, None
        if isinstance(first, HungError):
            raise first
        if first is not None:
            raise UnexpectedError(f"{type(first).__name__}: {first}") from first
