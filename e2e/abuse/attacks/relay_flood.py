"""Full datagrams to the relay's port, of clients that have no connection: what waits for the link is held."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Sequence

from e2e.abuse.attack import Attack, Limit, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses, sockets_at
from e2e.abuse.client.rhythm import at_rate
from e2e.abuse.ground import Ground
from e2e.abuse.link import DELAY_MS, RATE_BITS_PER_S
from e2e.abuse.newcomer import DURING, newcomers_open_s, session_opens_s
from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.places.process import Process
from e2e.laboratory.places.relay import start_relay

NAME = "relay-flood"
CLIENTS = 300
"""More than the relay has places for."""
DATAGRAM = b"\x40" + bytes(1199)
"""Looks like one of a connection."""
AT_ONCE = 20
TURNS_A_SECOND = 500
SECONDS = 8.0
"""Enough for 132 MB, were all of it kept: more than either limit."""
SMALL_SECONDS = 2.0
A_LINK_EACH = "--for-each"
HELD_ON_ONE_LINK = Limit("memory of the relay, one link", Reach("at most", 80.0), "MB")
"""Half of its room (transport/relay/room.py), 67 MB, and a little beside."""
HELD_ON_LINKS = Limit("memory of the relay, a link each", Reach("at most", 32.0), "MB")
"""A stranger's share for each of 256 places, 17 MB, and the links themselves."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """A newcomer comes half-way where it has a link of its own and the flood one address.

    The link that all share is full by then, and hundreds of addresses leave nobody a place for a round trip.
    """
    crowds = {"one address": [ONE_ADDRESS], "many addresses": many_addresses(CLIENTS, ground.rng(NAME))}
    samples: list[Sample] = []
    async with ground.media_server() as server:
        await session_opens_s(server.port)  # what the first session loads is not the attack's
        for (crowd, hosts), options in itertools.product(crowds.items(), ([], [A_LINK_EACH])):
            arm = f"{crowd}, {'a link each' if options else 'one link'}"
            has_newcomer = bool(options) and len(hosts) == 1
            samples += await _attack(ground, server.port, hosts, options=options, arm=arm, has_newcomer=has_newcomer)
    return samples


async def _attack(
    ground: Ground, server_port: int, hosts: Sequence[str], *, options: Sequence[str], arm: str, has_newcomer: bool
) -> list[Sample]:
    link = ["--link", f"{RATE_BITS_PER_S // 10**6}mbit", "--delay", f"{DELAY_MS}"]
    seconds = SMALL_SECONDS if ground.is_small else SECONDS
    async with start_relay(["--upstream", f"127.0.0.1:{server_port}", *link, *options]) as (relay, port):
        process = Process(relay.pid)
        before_bytes = process.forget_peak()
        async with asyncio.TaskGroup() as group:
            group.create_task(_flood(port, hosts, for_s=seconds))
            newcomer = group.create_task(newcomers_open_s(port, after_s=seconds / 2)) if has_newcomer else None
        held = HELD_ON_LINKS if options else HELD_ON_ONE_LINK
        samples = [held.of((process.peak_rss_bytes - before_bytes) / 1e6, arm)]
    return samples if newcomer is None else [*samples, *(DURING.of(opens_s, arm) for opens_s in newcomer.result())]


async def _flood(port: int, hosts: Sequence[str], *, for_s: float) -> None:
    with sockets_at(hosts) as sockets:
        turns = itertools.cycle(sockets)
        async for _ in at_rate(TURNS_A_SECOND, for_s=for_s):
            for _ in range(AT_ONCE):
                with contextlib.suppress(BlockingIOError):  # this machine has no room for more
                    next(turns).sendto(DATAGRAM, ("127.0.0.1", port))


ATTACK = Attack(
    name=NAME,
    summary=f"Sends {AT_ONCE * TURNS_A_SECOND} full datagrams a second to the relay, without a connection.",
    limits=(HELD_ON_ONE_LINK, HELD_ON_LINKS, DURING),
    measure=measure,
)
