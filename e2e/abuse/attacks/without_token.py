"""Whoever reaches a server that asks for a token reads what others have sent, and writes, without knowing it."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import get
from e2e.laboratory.figures.figure import Reach

LET_IN = Limit("requests let in without the token", Reach("at most", 0.0))
UNAUTHORIZED = 401
FORBIDDEN = 403
TOKEN = "abuse-0123456789-abuse"
PATHS = (
    "/metrics",
    "/api/telemetry/sessions",
    "/api/telemetry/events.json",
    "/api/telemetry/events.csv",
    "/api/telemetry/events.parquet",
)
WRITES = (("POST", "/api/films?name=film.mp4"), ("PUT", "/api/link"))
GUESSES = (
    (),
    ("Authorization: Bearer wrong",),
    (f"Authorization: Basic {TOKEN}",),
    (f"Authorization: Bearer {TOKEN[:-1]}",),
    (f"Authorization: Bearer {TOKEN} x",),
    ("Cookie: nuwa-token=",),
    ("Cookie: nuwa-token=null; nuwa-token",),
    (f"Cookie: token={TOKEN}",),
)


async def measure(ground: Ground) -> Sequence[Sample]:
    """Each path by each guess; the right token must do, or nothing was measured.

    Writes come from the server's own page, so that it is the token that they lack.
    """
    async with ground.web_server("--token", TOKEN) as server:
        for path in PATHS:
            status, _ = await get(server.port, path, headers=(f"Authorization: Bearer {TOKEN}",))
            if status != 200:
                raise AttackError(f"{path} is answered {status} to whoever knows the token")
        statuses = [(await get(server.port, path, headers=guess))[0] for path in PATHS for guess in GUESSES]
        origin = f"Origin: http://127.0.0.1:{server.port}"
        for method, path in WRITES:
            right = (origin, f"Authorization: Bearer {TOKEN}")
            status, _ = await get(server.port, path, headers=right, method=method)
            if status in (UNAUTHORIZED, FORBIDDEN):
                raise AttackError(f"{method} {path} is answered {status} to whoever knows the token")
            statuses += [
                (await get(server.port, path, headers=(origin, *guess), method=method))[0] for guess in GUESSES
            ]
        statuses.append((await get(server.port, f"/unlock?token={TOKEN[:-1]}"))[0])
    return [LET_IN.of(float(sum(status != UNAUTHORIZED for status in statuses)))]


ATTACK = Attack(
    name="without-token",
    summary="Reads telemetry and metrics, adds films, and changes the link, with wrong tokens and with none.",
    limits=(LET_IN,),
    measure=measure,
)
