"""Datagrams of hundreds of frames that say nothing new: each frame costs the server time (RFC 9000 section 21.9)."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from aioquic.buffer import encode_uint_var
from aioquic.quic.packet import QuicFrameType

from cc.registry import scheme
from e2e.abuse.attack import Attack, AttackError, Sample
from e2e.abuse.client.connection import LyingConnection
from e2e.abuse.client.initials import MAX_DATAGRAM_BYTES, InitialWriter
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.flooding import BUSY, Send, Sender, flood_each
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING
from e2e.abuse.serving import Served
from transport.aioquic_adapter.unread_limits import TOO_MUCH

A_SECOND = 500

ACK = bytes([QuicFrameType.ACK, 0, 0, 0, 0])
"""Of packet 0."""
ROOM_BYTES = 1150
"""For frames in an Initial; other packets have room for some more."""
ACKS_LET_IN = 10
DATAGRAMS_LET_IN = 50
CANCELLATIONS_LET_IN = 40
RETIREMENTS_LET_IN = 100
"""As many as a datagram may have (transport/aioquic_adapter/frame_limits.py)."""
PACKETS = 24
PACKETS_LET_IN = 6
"""Of a datagram (transport/aioquic_adapter/server.py)."""
HELLO_BYTES = 1000
CLIENT_HELLO = 1
"""Of TLS (RFC 8446 section 4)."""
ANSWER_LIMIT_S = 2.0


async def measure(ground: Ground) -> Sequence[Sample]:
    """Nine arms, with one newcomer half-way in each."""
    arms: dict[str, Sender] = {
        "ACKs in Initials": partial(_stranger, ground, _acks_of_a_stranger),
        "Initials": partial(_stranger, ground, _packets),
        "Initials, as many as are let in": partial(_stranger, ground, partial(_packets, count=PACKETS_LET_IN)),
        "ACKs": partial(_session, _acks),
        "ACKs, as many as are let in": partial(_session, _acks, most=ACKS_LET_IN),
        "datagrams, as many as are let in": partial(_session, _datagrams, most=DATAGRAMS_LET_IN),
        "cancellations, as many as are let in": partial(_session, _cancellations, most=CANCELLATIONS_LET_IN),
        "retirements": partial(_session, _retirements),
        "retirements, as many as are let in": partial(_session, _retirements, most=RETIREMENTS_LET_IN),
    }
    return await flood_each(ground, {arm: (A_SECOND, sender) for arm, sender in arms.items()})


@asynccontextmanager
async def _stranger(
    ground: Ground, datagram_of: Callable[[InitialWriter], bytes], server: Served
) -> AsyncIterator[Send]:
    """One who has said half of its hello."""
    writer = InitialWriter(ground.rng("small-frames"))
    half = bytes([CLIENT_HELLO]) + HELLO_BYTES.to_bytes(3, "big") + bytes(HELLO_BYTES // 2)
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setblocking(False)
        sock.connect(("127.0.0.1", server.port))
        sock.send(writer.datagram_of(QuicFrameType.CRYPTO, encode_uint_var(0) + encode_uint_var(len(half)) + half))
        try:
            async with asyncio.timeout(ANSWER_LIMIT_S):
                await loop.sock_recv(sock, MAX_DATAGRAM_BYTES)
        except TimeoutError as error:
            raise AttackError("small-frames: half a hello was not acknowledged") from error

        def send() -> None:
            sock.send(datagram_of(writer))

        yield send


@asynccontextmanager
async def _session(
    frame_of: Callable[[LyingConnection], bytes], server: Served, *, most: int | None = None
) -> AsyncIterator[Send]:
    """A client with a session. Where its datagrams have `most` frames that stays, or ends for how many come."""
    async with open_liar(server.port, scheme("cubic"), Lies()) as client:
        await client.download("generated/1", on_data=lambda data: None)
        connection, datagram = client.connection, b""
        frame = frame_of(connection)
        frames = frame * (ROOM_BYTES // len(frame) if most is None else most)

        def send() -> None:
            nonlocal datagram
            if not connection.is_over:  # who is thrown out goes on with what belongs to no connection
                datagram = connection.datagram_of(frames[0], frames[1:])
            connection.send_alone(datagram)
            client.transmit()

        yield send
        if most is not None and connection.end_reason != TOO_MUCH:
            await client.download("generated/1", on_data=lambda data: None)


def _acks_of_a_stranger(writer: InitialWriter) -> bytes:
    frames = ACK * (ROOM_BYTES // len(ACK))
    return writer.datagram_of(frames[0], frames[1:])


def _packets(writer: InitialWriter, count: int = PACKETS) -> bytes:
    return writer.datagram_of_packets(count)


def _acks(connection: LyingConnection) -> bytes:
    return ACK


def _datagrams(connection: LyingConnection) -> bytes:
    """Of a session that is not there."""
    return bytes([QuicFrameType.DATAGRAM_WITH_LENGTH, 2, 5, 0])


def _cancellations(connection: LyingConnection) -> bytes:
    """Of the request that was answered first."""
    return bytes([QuicFrameType.STOP_SENDING, 4, 0])


def _retirements(connection: LyingConnection) -> bytes:
    """The first asks for a new connection ID, those that follow for nothing."""
    return bytes([QuicFrameType.RETIRE_CONNECTION_ID, connection.forget_spare_id()])


ATTACK = Attack(
    name="small-frames",
    summary=f"Sends {A_SECOND} datagrams a second, each full of packets or of frames that cost much.",
    limits=(BUSY, DURING),
    measure=measure,
)
