"""Small datagrams from many ports to the relay: each is a client to it, and has a place for a while."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses, sockets_at
from e2e.abuse.client.rhythm import at_rate
from e2e.abuse.ground import Ground
from e2e.abuse.link import open_link
from e2e.abuse.newcomer import DURING, newcomers_open_s, session_opens_s

NAME = "relay-addresses"
CLIENTS = 300
"""More than the relay has places for."""
A_SECOND = 200
SECONDS = 12.0
"""Longer than a silent client keeps its place."""
SMALL_SECONDS = 4.0
NEWCOMERS = 3


async def measure(ground: Ground) -> Sequence[Sample]:
    """From one address, and from as many as there are clients; newcomers come one after the other, half-way."""
    seconds = SMALL_SECONDS if ground.is_small else SECONDS
    crowds = {"one address": [ONE_ADDRESS] * CLIENTS, "many addresses": many_addresses(CLIENTS, ground.rng(NAME))}
    samples = []
    for arm, hosts in crowds.items():
        with TemporaryDirectory() as folder:
            async with ground.media_server() as server, open_link(server.port, Path(folder)) as link:
                await session_opens_s(link.port)
                newcomers = asyncio.create_task(newcomers_open_s(link.port, after_s=seconds / 2, count=NEWCOMERS))
                await _flood(link.port, hosts, for_s=seconds)
                samples += [DURING.of(opens_s, arm) for opens_s in await newcomers]
    return samples


async def _flood(port: int, hosts: Sequence[str], *, for_s: float) -> None:
    with sockets_at(hosts) as sockets:
        turns = itertools.cycle(sockets)
        async for _ in at_rate(A_SECOND, for_s=for_s):
            next(turns).sendto(b"x", ("127.0.0.1", port))


ATTACK = Attack(
    name=NAME,
    summary=f"Sends {A_SECOND} datagrams of one byte a second to the relay, from {CLIENTS} ports.",
    limits=(DURING,),
    measure=measure,
)
