"""Plain GETs over HTTP/3 (`nuwa serve --http3`): each takes a session's place, asks for much, and reads no more."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from aioquic.h3.connection import H3Connection

from e2e.abuse.attack import Attack, AttackError, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses
from e2e.abuse.client.crowd import Stranger, crowd
from e2e.abuse.ground import Ground
from e2e.abuse.memory import IN_ALL
from e2e.abuse.newcomer import AFTER, DURING, session_opens_s

CLIENTS = 512
SMALL_CLIENTS = 40
SCHEME = "cubic"
RESPONSE_BYTES = 10**9
ANSWER_LIMIT_S = 10.0
ANSWER_BYTES = 5_000
"""More than a refusal and HTTP/3's settings."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """From one address, and from as many as there are clients."""
    count = SMALL_CLIENTS if ground.is_small else CLIENTS
    crowds = {
        "one address": [ONE_ADDRESS] * count,
        "many addresses": many_addresses(count, ground.rng("plain-gets-unread")),
    }
    samples = []
    for arm, hosts in crowds.items():
        async with ground.media_server("--http3", SCHEME) as server:
            await session_opens_s(server.port)
            before_bytes = server.process.forget_peak()
            async with crowd(server.port, hosts) as strangers:
                answered = await asyncio.gather(*map(_ask_for_much, strangers))
                if not any(answered):
                    raise AttackError(f"plain-gets-unread: no GET was answered ({arm})")
                samples.append(DURING.of(await session_opens_s(server.port), arm))
            samples.append(AFTER.of(await session_opens_s(server.port), arm))
            samples.append(IN_ALL.of((server.process.peak_rss_bytes - before_bytes) / 1e6, arm))
    return samples


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
    name="plain-gets-unread",
    summary=f"{CLIENTS} clients of `--http3` ask for {RESPONSE_BYTES // 10**6} MB each, and give no more credit.",
    against="media server",
    limits=(DURING, AFTER, IN_ALL),
    measure=measure,
)
