"""ACKs of hundreds and thousands of ranges, each of which the server would sort in (RFC 9000 section 19.3.1)."""

from __future__ import annotations

import random
import socket
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise

from aioquic.buffer import encode_uint_var
from aioquic.quic.packet import QuicFrameType

from cc.registry import scheme
from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.acks import Forger
from e2e.abuse.client.initials import large_initial
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.flooding import BUSY, Send, Sender, flood_each
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING
from e2e.abuse.serving import Served
from transport.aioquic_adapter.unread_limits import TOO_MUCH

STRANGERS_A_SECOND = 10
DATAGRAMS_A_SECOND = 500
RANGES_OF_LARGEST = 31_900
"""Beside the first; they fill the largest datagram that there is."""
RANGES_OF_FULL = 560
"""They fill an ordinary one."""
RANGES_LET_IN = 256
"""As many as an ACK may have (transport/aioquic_adapter/frame_limits.py)."""
DOWNLOAD_BYTES = 2_000_000
"""More packets than twice the ranges: only what was sent may be acknowledged."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """Three arms, with one newcomer half-way in each."""
    arms: dict[str, tuple[int, Sender]] = {
        "the largest datagrams": (STRANGERS_A_SECOND, partial(_strangers, ground.rng("large-acks"))),
        "full datagrams": (DATAGRAMS_A_SECOND, partial(_session, ranges=RANGES_OF_FULL)),
        "ranges, as many as are let in": (DATAGRAMS_A_SECOND, partial(_session, ranges=RANGES_LET_IN)),
    }
    return await flood_each(ground, arms)


class _Remembered(Forger):
    """What has arrived. It is acknowledged honestly: packets that the server only says it sent are not among it."""

    def __init__(self) -> None:
        self.numbers: set[int] = set()

    def acknowledged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        """All of it."""
        for numbers in received:
            self.numbers.update(numbers)
        return received


def _ack(numbers: Iterable[int]) -> bytes:
    """Of these, in descending order, with counts of code points: the type, and what follows."""
    largest, *others = numbers
    head = map(encode_uint_var, (QuicFrameType.ACK_ECN, largest, 0, len(others), 0))
    gaps = (encode_uint_var(before - number - 2) + b"\0" for before, number in pairwise((largest, *others)))
    return b"".join((*head, *gaps, bytes(3)))


def _apart(numbers: Iterable[int], ranges: int) -> Sequence[int]:
    """The largest of these, and so many below, of which no two are neighbours."""
    chosen: list[int] = []
    for number in sorted(numbers, reverse=True):
        if not chosen or chosen[-1] - number >= 2:
            chosen.append(number)
    return chosen[: ranges + 1]


@asynccontextmanager
async def _strangers(rng: random.Random, server: Served) -> AsyncIterator[Send]:
    """Each datagram begins a connection of its own."""
    payload = _ack(range(2 * RANGES_OF_LARGEST, -1, -2))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("127.0.0.1", server.port))

        def send() -> None:
            sock.send(large_initial(payload, rng))

        yield send


@asynccontextmanager
async def _session(server: Served, *, ranges: int) -> AsyncIterator[Send]:
    """A client with a session. Where its ACKs are let in that stays, or ends for how many come."""
    arrived = _Remembered()
    async with open_liar(server.port, scheme("cubic"), Lies(acks=arrived)) as client:
        await client.download(f"generated/{DOWNLOAD_BYTES}", on_data=lambda data: None)
        connection, datagram, ack = client.connection, b"", _ack(_apart(arrived.numbers, ranges))

        def send() -> None:
            nonlocal datagram
            if not connection.is_over:  # who is thrown out goes on with what belongs to no connection
                datagram = connection.datagram_of(ack[0], ack[1:])
            connection.send_alone(datagram)
            client.transmit()

        yield send
        if ranges <= RANGES_LET_IN and connection.end_reason != TOO_MUCH:
            await client.download("generated/1", on_data=lambda data: None)


ATTACK = Attack(
    name="large-acks",
    summary=f"Sends ACKs of {RANGES_OF_LARGEST} ranges before a handshake, and of hundreds after it.",
    limits=(BUSY, DURING),
    measure=measure,
)
