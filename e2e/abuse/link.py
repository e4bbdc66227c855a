"""The link in front of a server: 5 Mbit/s, 20 ms each way, 17 packets of queue. What it was sent is what was drawn."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from e2e.laboratory.places.link_log import parse_link_log
from e2e.laboratory.places.relay import require_all_sent, start_relay

RATE_BITS_PER_S = 5_000_000
DELAY_MS = 20
"""Each way."""
QUEUE_PACKETS = 17
"""A round trip's worth at this rate."""


@dataclass(frozen=True, slots=True)
class Link:
    """The relay, between clients and a server."""

    port: int
    log: Path

    def sent_bytes(self, began_at_s: float, ended_at_s: float) -> float:
        """What the server sent between two times since the Unix epoch, headers and what the queue dropped included.

        Call it when the link is closed: its log is whole then.
        """
        arrivals = parse_link_log(self.log.read_text(encoding="ascii")).arrivals
        sent = zip(arrivals.at_ms, arrivals.wire_bytes, strict=True)
        return sum(wire_bytes for at_ms, wire_bytes in sent if began_at_s <= at_ms / 1000 <= ended_at_s)


@asynccontextmanager
async def open_link(server_port: int, folder: Path, *, may_lose_beside: bool = False) -> AsyncIterator[Link]:
    """The relay in front of a server on loopback, closed with the block.

    Raises ChildError, unless `may_lose_beside` at its end where datagrams were lost beside the link: what was drawn
    would be too little.
    """
    log = folder / "downlink.log"
    options = ["--upstream", f"127.0.0.1:{server_port}", "--link", f"{RATE_BITS_PER_S // 10**6}mbit"]
    options += ["--delay", f"{DELAY_MS}", "--queue", f"{QUEUE_PACKETS}", "--log", str(log)]
    async with start_relay(options) as (relay, port):
        yield Link(port, log)
        closing = await relay.stop()
        if not may_lose_beside:
            require_all_sent(closing)
