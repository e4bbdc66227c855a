"""Datagrams in a viewer's name, of who sees its connection ID and has no keys (RFC 9000 section 21.1)."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from aioquic.quic.packet import PACKET_FIXED_BIT

from cc.registry import scheme
from e2e.abuse.attack import Attack, Sample
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.flooding import BUSY, Send, flood_each
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import DURING
from e2e.abuse.serving import Served

NAME = "forged-datagrams"
A_SECOND = 2000
PROTECTED_BITS = 0x1F
"""What a short header's first byte says of keys and numbers, once it is unmasked."""
SEALED_BYTES = 40


async def measure(ground: Ground) -> Sequence[Sample]:
    """One arm, with one newcomer half-way."""
    return await flood_each(ground, {"in a viewer's name": (A_SECOND, partial(_beside_viewer, ground.rng(NAME)))})


@asynccontextmanager
async def _beside_viewer(rng: random.Random, server: Served) -> AsyncIterator[Send]:
    """From the viewer's own address; the viewer is served all the same."""
    async with open_liar(server.port, scheme("cubic"), Lies()) as viewer:
        await viewer.download("generated/1", on_data=lambda data: None)
        server_id = viewer.connection.server_id

        def send() -> None:
            first_byte = PACKET_FIXED_BIT | rng.randrange(PROTECTED_BITS + 1)
            viewer.connection.send_alone(bytes([first_byte]) + server_id + rng.randbytes(SEALED_BYTES))
            viewer.transmit()

        yield send
        await viewer.download("generated/1", on_data=lambda data: None)


ATTACK = Attack(
    name=NAME,
    summary=f"Sends {A_SECOND} datagrams a second in the name of a viewer, whose keys it has not.",
    limits=(BUSY, DURING),
    measure=measure,
)
