"""Sessions that end, of clients that say they acknowledge very late: their places are free at once all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.crowd import Stranger, crowd
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import session_opens_s
from e2e.laboratory.figures.figure import Reach
from transport.media_server.admission.limits import DEFAULT_LIMITS

NAME = "sessions-ended"
HOST = "127.0.0.1"
"""That of the newcomer, too."""
SESSIONS = DEFAULT_LIMITS.sessions.per_prefix
ACK_DELAY_S = 16.0
"""Transport parameters have no larger one (RFC 9000 section 18.2)."""
ANSWER_LIMIT_S = 5.0
SETTLE_S = 0.5
OPENS = Limit("a newcomer's session opens, once they have ended", Reach("at most", 1.0), "s")

End = Callable[[Stranger, int], None]
"""Of the session whose stream has that number."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """As many sessions as the address may have, which end together; a newcomer of the same address follows."""
    samples = []
    for arm, end in ENDS.items():
        async with ground.media_server() as server:
            await session_opens_s(server.port)
            async with crowd(server.port, [HOST] * SESSIONS, ack_delay_s=ACK_DELAY_S) as strangers:
                if len(strangers) < SESSIONS:
                    raise AttackError(f"{NAME}: only {len(strangers)} of {SESSIONS} clients came in")
                sessions = [stranger.ask_for_session(ends_at_once=end is None) for stranger in strangers]
                await _answered(strangers, sessions, are_open=end is not None)
                if end is not None:
                    for stranger, session_id in zip(strangers, sessions, strict=True):
                        end(stranger, session_id)
                        stranger.transmit()
                    await asyncio.sleep(SETTLE_S)
                samples.append(OPENS.of(await session_opens_s(server.port), arm))
    return samples


async def _answered(strangers: Sequence[Stranger], sessions: Sequence[int], *, are_open: bool) -> None:
    """Raises AttackError where one is not answered, or is refused though it should be open, or the contrary."""
    try:
        async with asyncio.timeout(ANSWER_LIMIT_S):
            for stranger, session_id in zip(strangers, sessions, strict=True):
                while session_id not in stranger.streams_heard:
                    stranger.heard.clear()
                    await stranger.heard.wait()
    except TimeoutError as error:
        raise AttackError(f"{NAME}: a session was not answered within {ANSWER_LIMIT_S:g} s") from error
    await asyncio.sleep(SETTLE_S)  # for the end of a refusal, which may come behind its status
    refused = sum(stranger.streams_ended for stranger in strangers)
    expected = 0 if are_open else len(strangers)
    if refused != expected:
        raise AttackError(f"{NAME}: {refused} of {len(strangers)} sessions were refused, not {expected}")


ENDS: dict[str, End | None] = {
    "the connection is closed": lambda stranger, session_id: stranger.close(),
    "the stream ends": lambda stranger, session_id: stranger.connection.send_stream_data(session_id, b"", True),
    "the stream is reset": lambda stranger, session_id: stranger.connection.reset_stream(session_id, 0),
    "the request ends it": None,
}

ATTACK = Attack(
    name=NAME,
    summary=f"Opens {SESSIONS} sessions from one address, claims to acknowledge {ACK_DELAY_S:g} s late, and ends them.",
    limits=(OPENS,),
    measure=measure,
)
