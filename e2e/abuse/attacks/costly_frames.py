"""HTTP/3 of frames, or header fields, that say nothing: each takes time before a request is looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import count

import pylsqpack
from aioquic.h3.connection import FrameType, encode_frame

from e2e.abuse.attack import Attack, AttackError, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS
from e2e.abuse.client.crowd import crowd
from e2e.abuse.flooding import BUSY, Send, Sender, flood_each
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING
from e2e.abuse.serving import Served

SENT_AWAY_A_SECOND = 200
STAYING_A_SECOND = 50
"""Two hundred requests of nothing else take a third of a CPU."""
CONNECTIONS = 8
REQUEST = [(b":method", b"GET"), (b":scheme", b"https"), (b":authority", b"127.0.0.1"), (b":path", b"/")]
GREASE = 0x21
"""Of no meaning (RFC 9114 section 7.2.8)."""
FRAMES_BYTES = 1000
LONGEST_INDEXED_FIELD = bytes([0xC0 | 57])
"""`strict-transport-security`, in one byte (RFC 9204 appendix A)."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """A request each time, of a client that has no session: of too much, and of the most with which it may stay."""
    section = pylsqpack.Encoder().encode(0, REQUEST)[1]

    def of_frames(frame: bytes) -> bytes:
        return encode_frame(FrameType.HEADERS, section) + frame * (FRAMES_BYTES // len(frame))

    def of_fields(count: int) -> bytes:
        return encode_frame(FrameType.HEADERS, section + (count - len(REQUEST)) * LONGEST_INDEXED_FIELD)

    sent_away = {
        "empty DATA frames": of_frames(encode_frame(FrameType.DATA, b"")),
        "empty frames of no meaning": of_frames(encode_frame(GREASE, b"")),
        "4,000 fields": of_fields(4000),
    }
    staying = {"frames of eight bytes": of_frames(encode_frame(GREASE, bytes(6))), "128 fields": of_fields(128)}
    arms: dict[str, tuple[int, Sender]] = {}
    for a_second, requests in ((SENT_AWAY_A_SECOND, sent_away), (STAYING_A_SECOND, staying)):
        arms |= {arm: (a_second, partial(_strangers, request)) for arm, request in requests.items()}
    return await flood_each(ground, arms)


@asynccontextmanager
async def _strangers(request: bytes, server: Served) -> AsyncIterator[Send]:
    """They take turns. Who has been sent away asks no more."""
    async with crowd(server.port, [ONE_ADDRESS] * CONNECTIONS) as strangers:
        if len(strangers) < CONNECTIONS:
            raise AttackError("costly-frames: a handshake was not finished")
        turns = count()

        def send() -> None:
            stranger = strangers[next(turns) % CONNECTIONS]
            connection = stranger.connection
            if not connection.is_over:
                connection.send_stream_data(connection.get_next_available_stream_id(), request, end_stream=True)
                stranger.transmit()

        yield send


ATTACK = Attack(
    name="costly-frames",
    summary=f"Asks {STAYING_A_SECOND} times a second over {CONNECTIONS} connections, in many small frames or fields, "
    "or more and smaller ones until it is sent away.",
    limits=(BUSY, DURING),
    measure=measure,
)
