"""Challenges on paths that are not in use: each small one asks for a full datagram (RFC 9000 section 8.2.2)."""

from __future__ import annotations

from collections.abc import Sequence

from cc.registry import scheme
from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.client.paths import other_paths
from e2e.abuse.client.rhythm import at_rate
from e2e.abuse.ground import Ground
from e2e.laboratory.figures.figure import Reach
from transport.aioquic_adapter.unread_limits import TOO_MUCH

PATHS = 4
"""Validating them takes half of the answers that a client gets at once."""
A_SECOND = 2000
SECONDS = 10
SMALL_SECONDS = 2
AMPLIFIED = Limit("sent to other paths / received from there", Reach("at most", 2.0))


async def measure(ground: Ground) -> Sequence[Sample]:
    """In bytes, those of the validation, too."""
    rng = ground.rng("path-challenges")
    async with (
        ground.media_server() as server,
        open_liar(server.port, scheme("cubic"), Lies()) as client,
        other_paths(client, server.port, PATHS, rng) as paths,
    ):
        if len(paths) < PATHS:
            raise AttackError(f"path-challenges: the server gave connection IDs for {len(paths)} other paths")
        try:
            for path in paths:
                await path.validate()
        except TimeoutError as error:
            raise AttackError("path-challenges: the server validated no other path") from error
        async for number in at_rate(A_SECOND, for_s=SMALL_SECONDS if ground.is_small else SECONDS):
            if (reason := client.connection.end_reason) is not None:
                if reason != TOO_MUCH:
                    raise AttackError(f"path-challenges: the session ended: {reason}")
                break
            paths[number % PATHS].challenge()
        received_bytes = sum(path.received_bytes for path in paths)
        sent_bytes = sum(path.sent_bytes for path in paths)
    return [AMPLIFIED.of(received_bytes / sent_bytes)]


ATTACK = Attack(
    name="path-challenges",
    summary=f"Sends {A_SECOND} challenges a second from {PATHS} ports beside its session's, until it is thrown out.",
    limits=(AMPLIFIED,),
    measure=measure,
)
