"""A session that comes from two hosts in turns: for each change the server begins congestion control anew."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

from aioquic.quic.packet import QuicFrameType

from cc.registry import scheme
from e2e.abuse.attack import Attack, Limit, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.client.rhythm import at_rate
from e2e.abuse.flooding import BUSY
from e2e.abuse.ground import Ground
from e2e.laboratory.figures.figure import Reach

NAME = "paths-alternating"
SCHEME = "bbr-fit"
"""It asks a policy, and of decisions something is kept."""
A_SECOND = 500
MOVES = 10_000
SMALL_MOVES = 2_000
PADDING = bytes(8)
WARM_UP_S = 1.0
KEPT = Limit(f"kept of {MOVES} changes of the path", Reach("at most", 1.0), "MB")


async def measure(ground: Ground) -> Sequence[Sample]:
    """Each datagram is from the other host; between two of them the server has its turn."""
    moves = SMALL_MOVES if ground.is_small else MOVES
    loop = asyncio.get_running_loop()
    async with ground.media_server() as server, open_liar(server.port, scheme(SCHEME), Lies()) as client:
        await client.download("generated/1000000", on_data=lambda data: None)
        await asyncio.sleep(WARM_UP_S)  # its policy is loaded
        connection, datagram = client.connection, b""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind((ONE_ADDRESS, 0))
            other.connect(("127.0.0.1", server.port))
            before_bytes, before_s, began_s = server.process.rss_bytes, server.process.cpu_s, loop.time()
            async for number in at_rate(A_SECOND, for_s=moves / A_SECOND):
                if not connection.is_over:  # who is thrown out goes on with what belongs to no connection
                    datagram = connection.datagram_of(QuicFrameType.PING, PADDING)
                if number % 2:
                    other.send(datagram)
                else:
                    connection.send_alone(datagram)
                    client.transmit()
            busy = (server.process.cpu_s - before_s) / (loop.time() - began_s)
            kept_bytes = server.process.rss_bytes - before_bytes
    return [KEPT.of(kept_bytes / 1e6 * MOVES / moves), BUSY.of(busy)]


ATTACK = Attack(
    name=NAME,
    summary=f"Sends {A_SECOND} datagrams a second of one session from two hosts in turns.",
    limits=(KEPT, BUSY),
    measure=measure,
)
