"""HTTP/3 of thousands of frames, or header fields, that say nothing: each takes time before a request is looked at."""

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

A_SECOND = 200
CONNECTIONS = 8
REQUEST = [(b":method", b"GET"), (b":scheme", b"https"), (b":authority", b"127.0.0.1"), (b":path", b"/")]
EMPTY = {"empty DATA frames": bytes([FrameType.DATA, 0]), "empty frames of no meaning": bytes([0x21, 0])}
"""The second kind is for greasing (RFC 9114 section 7.2.8)."""
FRAMES_BYTES = 1000
LONGEST_INDEXED_FIELD = bytes([0xC0 | 57])
"""`strict-transport-security`, in one byte (RFC 9204 appendix A)."""
FIELDS = 4000
"""As many as there is room for."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """Three arms; a request each time, of a client that has no session."""
    section = pylsqpack.Encoder().encode(0, REQUEST)[1]
    head = encode_frame(FrameType.HEADERS, section)
    requests = {
        **{arm: head + frame * (FRAMES_BYTES // len(frame)) for arm, frame in EMPTY.items()},
        "fields": encode_frame(FrameType.HEADERS, section + FIELDS * LONGEST_INDEXED_FIELD),
    }
    senders: dict[str, Sender] = {arm: partial(_strangers, request) for arm, request in requests.items()}
    return await flood_each(ground, {arm: (A_SECOND, sender) for arm, sender in senders.items()})


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
    summary=f"Asks {A_SECOND} times a second over {CONNECTIONS} connections, with hundreds of frames or fields.",
    limits=(BUSY, DURING),
    measure=measure,
)
