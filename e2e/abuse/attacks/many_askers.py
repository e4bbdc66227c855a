"""One address with many sessions: each asks for what a session may, and all together for all of the server's time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count

from aioquic.quic.packet import QuicFrameType

from e2e.abuse.attack import Attack, AttackError, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS
from e2e.abuse.client.crowd import FIRST_STREAM, crowd
from e2e.abuse.flooding import BUSY, Send, flood_each
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING
from e2e.abuse.serving import Served

NAME = "many-askers"
SESSIONS = 32
A_SECOND = 2000
"""Of all together: some 60 of each, of the 160 that one alone is let in."""
FOR_S = 12.0
"""After a third of it the server has ended those that go on so."""
PADDING = bytes(8)
ANSWER_LIMIT_S = 5.0


async def measure(ground: Ground) -> Sequence[Sample]:
    """One arm, with one newcomer half-way."""
    return await flood_each(ground, {f"{SESSIONS} sessions": (A_SECOND, _sessions)}, for_s=FOR_S)


@asynccontextmanager
async def _sessions(server: Served) -> AsyncIterator[Send]:
    """They take turns, and go on when they are ended."""
    async with crowd(server.port, [ONE_ADDRESS] * SESSIONS) as strangers:
        for stranger in strangers:
            stranger.ask_for_session()
        try:
            async with asyncio.timeout(ANSWER_LIMIT_S):
                for stranger in strangers:
                    while FIRST_STREAM not in stranger.streams_heard:
                        stranger.heard.clear()
                        await stranger.heard.wait()
        except TimeoutError as error:
            raise AttackError(f"{NAME}: a session was not answered") from error
        turns = count()
        newest = [b""] * len(strangers)

        def send() -> None:
            turn = next(turns) % len(strangers)
            connection = strangers[turn].connection
            if not connection.is_over:
                newest[turn] = connection.datagram_of(QuicFrameType.PING, PADDING)
            connection.send_alone(newest[turn])
            strangers[turn].transmit()

        yield send


ATTACK = Attack(
    name=NAME,
    summary=f"Sends {A_SECOND} PINGs a second from one address, which has {SESSIONS} sessions.",
    limits=(BUSY, DURING),
    measure=measure,
)
