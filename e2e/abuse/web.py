"""What the web server is held to, and how it is looked at."""

from __future__ import annotations

import asyncio
import time

from e2e.abuse.attack import Limit
from e2e.abuse.serving import Served
from e2e.laboratory.figures.figure import Reach

DESCRIPTORS = Limit("descriptors still open when the attacker has left", Reach("at most", 8.0))
"""Some are the visitors', who leave politely, and the system's own."""
LIVES = Limit("the process lives", Reach("at least", 1.0))
PATIENCE_S = 5.0
POLL_S = 0.05


async def descriptors_left_open(server: Served, before: int) -> float:
    """Beyond those of before, once they are back where they were, or after `PATIENCE_S`."""
    end_s = time.monotonic() + PATIENCE_S
    while server.process.is_alive:
        more = server.process.descriptors - before
        if more <= 0 or time.monotonic() > end_s:
            return float(max(0, more))
        await asyncio.sleep(POLL_S)
    return 0.0
