"""Sessions that ask for nothing, or read next to nothing: each holds a place while its client seems to be there."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from functools import partial

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.addresses import many_addresses
from e2e.abuse.client.crowd import Stranger, crowd
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import session_opens_s
from e2e.laboratory.figures.figure import Reach
from transport.media_server.admission.limits import DEFAULT_LIMITS

SESSIONS = DEFAULT_LIMITS.sessions.total
PER_ADDRESS = DEFAULT_LIMITS.sessions.per_prefix
PING_EVERY_S = 5.0
"""A connection that says nothing ends after 30 s."""
READ_EVERY_S = 1.0
CREDIT_BYTES = 2**14
"""At first: enough for the answer to begin."""
IDLE_S = DEFAULT_LIMITS.session_idle_s + 2.0
ANSWER_LIMIT_S = 5.0
NEWCOMERS = 4
OPENS = Limit("a newcomer's session opens, once they idle", Reach("at most", 1.0), "s")
REQUEST = b'{"path": "generated/1000000"}\n'
REQUEST_STREAM = 4
"""The first behind the session's own."""

Act = Callable[[Stranger], None]
"""What each of them does again and again."""


async def measure(ground: Ground, *, name: str, act: Act, every_s: float) -> Sequence[Sample]:
    """From as few addresses as suffice, and from as many as there are sessions; newcomers come one after the other."""
    few_hosts = many_addresses(SESSIONS // PER_ADDRESS, ground.rng(name))
    crowds = {"few addresses": list(itertools.chain.from_iterable([host] * PER_ADDRESS for host in few_hosts))}
    if not ground.is_small:
        crowds["many addresses"] = list(many_addresses(SESSIONS, ground.rng(name)))
    samples = []
    for arm, hosts in crowds.items():
        async with ground.media_server() as server:
            await session_opens_s(server.port)
            async with crowd(server.port, hosts, credit_bytes=CREDIT_BYTES) as strangers:
                await _open(strangers, name)
                await _idle(strangers, act, every_s=every_s)
                for _ in range(NEWCOMERS):
                    samples.append(OPENS.of(await session_opens_s(server.port), arm))
    return samples


async def _open(strangers: Sequence[Stranger], name: str) -> None:
    for stranger in strangers:
        stranger.ask_for_session()
        await asyncio.sleep(0)
    await asyncio.sleep(ANSWER_LIMIT_S)
    refused = sum(stranger.streams_ended for stranger in strangers)  # the rest was answered, and stays open
    if len(strangers) - refused < SESSIONS:
        raise AttackError(f"{name}: only {len(strangers) - refused} of {SESSIONS} sessions were opened")


async def _idle(strangers: Sequence[Stranger], act: Act, *, every_s: float) -> None:
    loop = asyncio.get_running_loop()
    end_s = loop.time() + IDLE_S
    while (left_s := end_s - loop.time()) > 0:
        for stranger in strangers:
            act(stranger)
            stranger.transmit()
        await asyncio.sleep(min(every_s, left_s))


def _ping(stranger: Stranger) -> None:
    stranger.connection.send_ping(0)


def _read_a_byte(stranger: Stranger) -> None:
    """Of one answer, for which the first of these asks."""
    connection = stranger.connection
    if connection.is_stingy:
        if not connection.is_over:
            connection.grant(REQUEST_STREAM, 1)
        return
    connection.is_stingy = True
    stranger.ask_in_session(REQUEST)


ATTACKS = (
    Attack(
        name="sessions-idle",
        summary=f"Opens {SESSIONS} sessions, which send nothing but a PING each {PING_EVERY_S:g} s.",
        limits=(OPENS,),
        measure=partial(measure, name="sessions-idle", act=_ping, every_s=PING_EVERY_S),
    ),
    Attack(
        name="sessions-trickling",
        summary=f"Opens {SESSIONS} sessions, each of which reads a byte of one answer each {READ_EVERY_S:g} s.",
        limits=(OPENS,),
        measure=partial(measure, name="sessions-trickling", act=_read_a_byte, every_s=READ_EVERY_S),
    ),
)
