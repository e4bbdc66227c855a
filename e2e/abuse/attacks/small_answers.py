"""Questions whose answers are small: each costs the server more than it takes of the path, which bounds nobody then."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import count

import pylsqpack
from aioquic.h3.connection import FrameType, encode_frame
from aioquic.quic.packet import QuicFrameType

from cc.registry import scheme
from e2e.abuse.attack import Attack, AttackError, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS
from e2e.abuse.client.crowd import crowd
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.flooding import BUSY, Send, Sender, flood_each
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING
from e2e.abuse.serving import Served
from transport.wire_format.wire import encode_ping

A_SECOND = 1000
CHALLENGE_BYTES = 8
GET = [(b":method", b"GET"), (b":scheme", b"https"), (b":authority", b"127.0.0.1"), (b":path", b"/generated/1")]


async def measure(ground: Ground) -> Sequence[Sample]:
    """Three arms, with one newcomer half-way in each."""
    arms: dict[str, Sender] = {
        "pings": partial(_session, _ping),
        "challenges of the path in use": partial(_session, _challenge),
        "requests that are refused": _strangers,
    }
    return await flood_each(ground, {arm: (A_SECOND, sender) for arm, sender in arms.items()})


@asynccontextmanager
async def _session(frame_of: Callable[[int], bytes], server: Served) -> AsyncIterator[Send]:
    """A client whose session is open, and acknowledges what it is told; a question is a datagram of its own."""
    async with open_liar(server.port, scheme("cubic"), Lies()) as client:
        await client.download("generated/1", on_data=lambda data: None)
        connection, numbers = client.connection, count()

        def send() -> None:
            if not connection.is_over:
                frame = frame_of(next(numbers))
                connection.send_alone(connection.datagram_of(frame[0], frame[1:]))
                client.transmit()

        yield send


@asynccontextmanager
async def _strangers(server: Served) -> AsyncIterator[Send]:
    """One without a session, whose GETs are not even answered with a file."""
    section = pylsqpack.Encoder().encode(0, GET)[1]
    async with crowd(server.port, [ONE_ADDRESS]) as strangers:
        if not strangers:
            raise AttackError("small-answers: no handshake was finished")
        connection = strangers[0].connection

        def send() -> None:
            if not connection.is_over:
                stream_id = connection.get_next_available_stream_id()
                connection.send_stream_data(stream_id, encode_frame(FrameType.HEADERS, section), end_stream=True)
                strangers[0].transmit()

        yield send


def _ping(number: int) -> bytes:
    """Of our own protocol, on the session's stream, which is the first."""
    ping = b"\0" + encode_ping(number)
    return bytes([QuicFrameType.DATAGRAM_WITH_LENGTH, len(ping)]) + ping


def _challenge(number: int) -> bytes:
    return bytes([QuicFrameType.PATH_CHALLENGE]) + number.to_bytes(CHALLENGE_BYTES, "big")


ATTACK = Attack(
    name="small-answers",
    summary=f"Asks {A_SECOND} times a second for answers of a few bytes, and acknowledges them.",
    limits=(BUSY, DURING),
    measure=measure,
)
