"""How much work a hello may make: aioquic reads all its lists, entry by entry, before it knows who is there."""

from __future__ import annotations

from aioquic import tls
from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.tls import AlertDecodeError, ClientHello, ExtensionType

MOST_HELLO_READS = 1000
"""Numbers and strings of a hello. Chromium's and Firefox's have some hundred."""
MOST_TRANSPORT_PARAMETERS_BYTES = 1024
"""Chromium's and Firefox's have some hundred."""

_pull = tls.pull_client_hello


def bound_hellos() -> None:
    """Before any connection begins: 16 KiB of entries that say nothing would take a fifth of a second."""
    tls.pull_client_hello = _pull_small_hello


def _pull_small_hello(buf: Buffer) -> ClientHello:
    hello = _pull(_CountedBuffer(buf))  # type: ignore[arg-type]
    for kind, content in hello.other_extensions or ():
        if kind == ExtensionType.QUIC_TRANSPORT_PARAMETERS and len(content) > MOST_TRANSPORT_PARAMETERS_BYTES:
            raise AlertDecodeError(f"transport parameters have at most {MOST_TRANSPORT_PARAMETERS_BYTES} bytes")
    return hello


class _CountedBuffer:
    """What aioquic reads a hello from, which it does so often and no more."""

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer
        self._reads_left = MOST_HELLO_READS
        self.tell = buffer.tell

    def pull_bytes(self, length: int) -> bytes:
        return self._counted().pull_bytes(length)

    def pull_uint8(self) -> int:
        return self._counted().pull_uint8()

    def pull_uint16(self) -> int:
        return self._counted().pull_uint16()

    def pull_uint32(self) -> int:
        return self._counted().pull_uint32()

    def _counted(self) -> Buffer:
        self._reads_left -= 1
        if self._reads_left < 0:
            raise AlertDecodeError(f"a hello has at most {MOST_HELLO_READS} entries")
        return self._buffer
