"""How often a client does what it does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator


async def at_rate(per_s: float, *, for_s: float) -> AsyncIterator[int]:
    """Counts from 0, so often a second for so long; others get their turn in between, and who is late catches up."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    for number in range(round(per_s * for_s)):
        await asyncio.sleep(began_s + number / per_s - loop.time())
        yield number
