"""Hellos of thousands of entries that say nothing: a server reads each before it knows who is there."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from itertools import count

from aioquic.buffer import encode_uint_var
from aioquic.quic.packet import QuicFrameType
from aioquic.tls import ExtensionType

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import many_addresses
from e2e.abuse.client.initials import InitialWriter
from e2e.abuse.flooding import BUSY, SECONDS, Send, Sender, flood_each
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING
from e2e.abuse.serving import Served

A_SECOND = 16
"""As many as are taken without a word from their address (transport/README.md, Who may connect)."""
HELLO_BYTES = 16_000
"""As many as are read of one."""
PIECE_BYTES = 1100
"""Of a hello, in a datagram."""
CLIENT_HELLO = 1
TLS_1_2 = 0x0303
TLS_AES_128_GCM_SHA256 = 0x1301
UNKNOWN_EXTENSION = 0xFFFE
UNKNOWN_GROUP = 0xFFFE


async def measure(ground: Ground) -> Sequence[Sample]:
    """A server for each kind of entry."""
    names = _extension(ExtensionType.ALPN, _counted(bytes(HELLO_BYTES)))
    binders = _extension(ExtensionType.PRE_SHARED_KEY, _counted(b"") + _counted(bytes(HELLO_BYTES)))
    shares = _extension(
        ExtensionType.KEY_SHARE, _counted((UNKNOWN_GROUP.to_bytes(2, "big") + bytes(2)) * (HELLO_BYTES // 4))
    )
    arms = {
        "names of protocols": names,
        "binders": binders,
        "key shares": shares,
        "extensions": _extension(UNKNOWN_EXTENSION, b"") * (HELLO_BYTES // 4),
    }
    senders: dict[str, Sender] = {arm: partial(_strangers, ground, arm, _hello(each)) for arm, each in arms.items()}
    return await flood_each(ground, {arm: (A_SECOND, sender) for arm, sender in senders.items()})


@asynccontextmanager
async def _strangers(ground: Ground, arm: str, hello: bytes, server: Served) -> AsyncIterator[Send]:
    """Each has an address of its own, and waits for no answer."""
    rng = ground.rng("costly-hellos", arm)
    numbers, hosts = count(), many_addresses(round(A_SECOND * SECONDS), rng)
    with ExitStack() as sockets:

        def send() -> None:
            writer = InitialWriter(rng)
            sock = sockets.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            sock.bind((hosts[next(numbers)], 0))
            sock.connect(("127.0.0.1", server.port))
            for begin in range(0, len(hello), PIECE_BYTES):
                piece = hello[begin : begin + PIECE_BYTES]
                where = encode_uint_var(begin) + encode_uint_var(len(piece))
                sock.send(writer.datagram_of(QuicFrameType.CRYPTO, where + piece))

        yield send


def _hello(extensions: bytes) -> bytes:
    """Of TLS (RFC 8446 section 4.1.2)."""
    body = b"".join(
        (
            TLS_1_2.to_bytes(2, "big") + bytes(32),
            b"\0",  # no session's number
            _counted(TLS_AES_128_GCM_SHA256.to_bytes(2, "big")),
            b"\1\0",  # no compression
            _counted(extensions),
        )
    )
    return bytes([CLIENT_HELLO]) + len(body).to_bytes(3, "big") + body


def _extension(kind: int, content: bytes) -> bytes:
    return kind.to_bytes(2, "big") + _counted(content)


def _counted(content: bytes) -> bytes:
    return len(content).to_bytes(2, "big") + content


ATTACK = Attack(
    name="costly-hellos",
    summary=f"Sends {A_SECOND} hellos a second, each of thousands of entries, from an address of its own.",
    limits=(BUSY, DURING),
    measure=measure,
)
