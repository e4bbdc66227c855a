"""Sessions that ask for nothing: each holds a place, for as long as its client says now and then that it is there."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.addresses import many_addresses
from e2e.abuse.client.crowd import Stranger, crowd
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import session_opens_s
from e2e.laboratory.figures.figure import Reach
from transport.media_server.admission.limits import DEFAULT_LIMITS

NAME = "sessions-idle"
SESSIONS = DEFAULT_LIMITS.sessions.total
PER_ADDRESS = DEFAULT_LIMITS.sessions.per_prefix
PING_EVERY_S = 5.0
"""A connection that says nothing ends after 30 s."""
IDLE_S = DEFAULT_LIMITS.session_idle_s + 2.0
ANSWER_LIMIT_S = 5.0
NEWCOMERS = 4
OPENS = Limit("a newcomer's session opens, once they idle", Reach("at most", 1.0), "s")


async def measure(ground: Ground) -> Sequence[Sample]:
    """From as few addresses as suffice, and from as many as there are sessions; newcomers come one after the other."""
    few = list(itertools.chain.from_iterable([host] * PER_ADDRESS for host in _hosts(ground, SESSIONS // PER_ADDRESS)))
    crowds = {"few addresses": few}
    if not ground.is_small:
        crowds["many addresses"] = list(_hosts(ground, SESSIONS))
    samples = []
    for arm, hosts in crowds.items():
        async with ground.media_server() as server:
            await session_opens_s(server.port)
            async with crowd(server.port, hosts) as strangers:
                await _open(strangers)
                await _idle(strangers)
                for _ in range(NEWCOMERS):
                    samples.append(OPENS.of(await session_opens_s(server.port), arm))
    return samples


def _hosts(ground: Ground, count: int) -> Sequence[str]:
    return many_addresses(count, ground.rng(NAME))


async def _open(strangers: Sequence[Stranger]) -> None:
    for stranger in strangers:
        stranger.ask_for_session()
        await asyncio.sleep(0)
    await asyncio.sleep(ANSWER_LIMIT_S)
    refused = sum(stranger.streams_ended for stranger in strangers)  # the rest was answered, and stays open
    if len(strangers) - refused < SESSIONS:
        raise AttackError(f"{NAME}: only {len(strangers) - refused} of {SESSIONS} sessions were opened")


async def _idle(strangers: Sequence[Stranger]) -> None:
    loop = asyncio.get_running_loop()
    end_s = loop.time() + IDLE_S
    for number in itertools.count():
        if loop.time() >= end_s:
            return
        for stranger in strangers:
            stranger.connection.send_ping(number)
            stranger.transmit()
        await asyncio.sleep(min(PING_EVERY_S, max(0.0, end_s - loop.time())))


ATTACK = Attack(
    name=NAME,
    summary=f"Opens {SESSIONS} sessions, which send nothing but a PING each {PING_EVERY_S:g} s.",
    limits=(OPENS,),
    measure=measure,
)
