"""Datagrams of a version that is not spoken: each may be answered with those that are (RFC 9000 section 6.1)."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import Sequence

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.addresses import many_addresses, sockets_at
from e2e.abuse.client.initials import CONNECTION_ID_BYTES, MAX_DATAGRAM_BYTES
from e2e.abuse.client.rhythm import at_rate
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING, session_opens_s
from e2e.laboratory.figures.figure import Reach

DATAGRAMS = 10_000
SMALL_DATAGRAMS = 2_000
A_SECOND = 2_500
ADDRESSES = 200
SMALL_BYTES = 30
SETTLES_S = 0.2
LONG_HEADER = b"\xc0"
VERSION = bytes.fromhex("1a2a3a4a")
"""One of those that nobody speaks (RFC 9000 section 15)."""

ANSWERED = Limit("answered / sent, in bytes", Reach("at most", 1.0))
ANSWERS_TO_SMALL = Limit(f"answers to datagrams of {SMALL_BYTES} bytes", Reach("at most", 0.0))


async def measure(ground: Ground) -> Sequence[Sample]:
    """A server for each size, and a newcomer half-way."""
    count = SMALL_DATAGRAMS if ground.is_small else DATAGRAMS
    rng = ground.rng("unknown-versions")
    samples = []
    for datagram_bytes in (MAX_DATAGRAM_BYTES, SMALL_BYTES):
        arm = f"{datagram_bytes} bytes"
        async with ground.media_server() as server:
            with sockets_at(many_addresses(ADDRESSES, rng)) as sockets:
                newcomer: asyncio.Task[float] | None = None
                async for number in at_rate(A_SECOND, for_s=count / A_SECOND):
                    sockets[number % ADDRESSES].sendto(_datagram(datagram_bytes, rng), ("127.0.0.1", server.port))
                    if number == count // 2:
                        newcomer = asyncio.create_task(session_opens_s(server.port))
                assert newcomer is not None
                samples.append(DURING.of(await newcomer, arm))
                await asyncio.sleep(SETTLES_S)  # what the server answers is here, then
                answers_bytes = [size_bytes for each in sockets for size_bytes in _received_bytes(each)]
            samples.append(ANSWERED.of(sum(answers_bytes) / (count * datagram_bytes), arm))
            if datagram_bytes == SMALL_BYTES:
                samples.append(ANSWERS_TO_SMALL.of(len(answers_bytes)))
            elif not answers_bytes:
                raise AttackError("unknown-versions: not even a full datagram was answered")
    return samples


def _datagram(size_bytes: int, rng: random.Random) -> bytes:
    """The header of a connection that is new each time (RFC 8999 section 5.1), and nothing that means anything."""
    connection_ids = (bytes([CONNECTION_ID_BYTES]) + rng.randbytes(CONNECTION_ID_BYTES) for _ in range(2))
    return b"".join((LONG_HEADER, VERSION, *connection_ids)).ljust(size_bytes, b"\0")


def _received_bytes(sock: socket.socket) -> list[int]:
    """Of each datagram that waits there."""
    sizes_bytes: list[int] = []
    while True:
        try:
            sizes_bytes.append(len(sock.recv(MAX_DATAGRAM_BYTES)))
        except BlockingIOError:
            return sizes_bytes


ATTACK = Attack(
    name="unknown-versions",
    summary=f"Sends {DATAGRAMS} datagrams of a version that nobody speaks from {ADDRESSES} addresses.",
    limits=(ANSWERED, ANSWERS_TO_SMALL, DURING),
    measure=measure,
)
