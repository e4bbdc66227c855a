"""Plain GETs over HTTP/3 (`nuwa serve --http3`): each takes a session's place, asks for much, and reads no more."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from aioquic.h3.connection import H3Connection

from e2e.abuse.attack import Attack, AttackError, Sample
from e2e.abuse.client.crowd import Stranger
from e2e.abuse.crowding import LIMITS, crowd_from_few_and_many
from e2e.abuse.ground import Ground

NAME = "plain-gets-unread"
CLIENTS = 512
SMALL_CLIENTS = 40
SCHEME = "cubic"
RESPONSE_BYTES = 10**9
CREDIT_BYTES = 2**16
"""Little, so that the server is not busy with honest downloads; what it writes ahead is as much."""
ANSWER_LIMIT_S = 10.0
ANSWER_BYTES = 5_000
"""More than a refusal and HTTP/3's settings."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """From one address, and from as many as there are clients."""
    count = SMALL_CLIENTS if ground.is_small else CLIENTS
    options = ("--http3", SCHEME)
    return await crowd_from_few_and_many(ground, NAME, count, options=options, act=_ask, credit_bytes=CREDIT_BYTES)


async def _ask(strangers: Sequence[Stranger]) -> None:
    if not any(await asyncio.gather(*map(_ask_for_much, strangers))):
        raise AttackError(f"{NAME}: no GET was answered")


async def _ask_for_much(stranger: Stranger) -> bool:
    """Whether the answer began to come; no credit follows it."""
    connection = stranger.connection
    connection.is_stingy = True
    http = H3Connection(connection)
    fields = {":method": "GET", ":scheme": "https", ":authority": "127.0.0.1", ":path": f"/generated/{RESPONSE_BYTES}"}
    stream_id = connection.get_next_available_stream_id()
    http.send_headers(stream_id, [(name.encode(), value.encode()) for name, value in fields.items()], end_stream=True)
    stranger.transmit()
    try:
        async with asyncio.timeout(ANSWER_LIMIT_S):
            while stranger.stream_bytes < ANSWER_BYTES:
                stranger.heard.clear()
                await stranger.heard.wait()
    except TimeoutError:
        return False
    return True


ATTACK = Attack(
    name=NAME,
    summary=f"{CLIENTS} clients of `--http3` ask for {RESPONSE_BYTES // 10**6} MB each, and give no more credit.",
    limits=LIMITS,
    measure=measure,
)
