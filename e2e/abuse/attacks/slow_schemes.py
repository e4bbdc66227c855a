"""Sessions that are silent for half a second at a time: with each ACK a scheme catches up with what it has missed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial

from cc.registry import SCHEMES, scheme
from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.acks import OneByOne
from e2e.abuse.client.liar import Liar, Lies, open_liar
from e2e.abuse.flooding import BUSY, flood
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING, session_opens_s

SESSIONS = 16
A_SECOND = 2
SECONDS = 4.0
SMALL_SCHEMES = ("sprout",)
"""Its model of the link is the largest."""
FILM = "generated/1000000000"


async def measure(ground: Ground) -> Sequence[Sample]:
    """Scheme by scheme, each before a server of its own, with one newcomer half-way in each."""
    names = SMALL_SCHEMES if ground.is_small else [each.name for each in SCHEMES]
    arms = await ground.each([partial(_arm, ground, name) for name in names])
    return [sample for arm in arms for sample in arm]


async def _arm(ground: Ground, name: str) -> Sequence[Sample]:
    async with ground.media_server() as server, AsyncExitStack() as sessions:
        await session_opens_s(server.port)  # what the first session loads is not the attack's
        forgers = [OneByOne() for _ in range(SESSIONS)]
        clients = [
            await sessions.enter_async_context(open_liar(server.port, scheme(name), Lies(acks=forger)))
            for forger in forgers
        ]
        downloads = [asyncio.ensure_future(_download(client)) for client in clients]

        def acknowledge() -> None:
            loop = asyncio.get_running_loop()
            for client, forger in zip(clients, forgers, strict=True):
                forger.is_due = True
                client.connection.acknowledge_now(now_s=loop.time())
                client.transmit()

        samples = await flood(server, acknowledge, per_s=A_SECOND, for_s=SECONDS, arm=name)
        for download in downloads:
            download.cancel()
        return samples


async def _download(client: Liar) -> None:
    """For as long as the session lasts."""
    await client.download(FILM, on_data=lambda data: None)


ATTACK = Attack(
    name="slow-schemes",
    summary=f"Acknowledges one packet each half second in {SESSIONS} sessions of a scheme.",
    limits=(BUSY, DURING),
    measure=measure,
)
