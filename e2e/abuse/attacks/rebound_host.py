"""A page elsewhere whose name is rebound to the server's address reads what the browser would keep from it."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.abuse.attack import Attack, Limit, Sample
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import get
from e2e.laboratory.figures.figure import Reach

ANSWERED = Limit("answers to a foreign host", Reach("at most", 0.0))
MISDIRECTED = 421
PATHS = ("/", "/api/config", "/api/sessions", "/media/manifest.mpd", "/healthz")
HOSTS = ("evil.example", "127.0.0.1.evil.example", "evil.example:80", "localhost.evil.example")


async def measure(ground: Ground) -> Sequence[Sample]:
    """Any answer but that this is not the host's server (RFC 9110 section 15.5.20, RFC 9112 section 3.2.2)."""
    async with ground.web_server() as server:
        statuses = [(await get(server.port, path, host))[0] for path in PATHS for host in HOSTS]
        statuses += [(await get(server.port, f"http://{host}{path}"))[0] for path in PATHS for host in HOSTS]
    return [ANSWERED.of(float(sum(status != MISDIRECTED for status in statuses)))]


ATTACK = Attack(
    name="rebound-host",
    summary="Asks for pages, API and film under the name of another host, as Host and in the target.",
    limits=(ANSWERED,),
    measure=measure,
)
