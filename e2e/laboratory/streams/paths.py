"""Emulated links side by side: a lane a session, in as few relays as take them."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from e2e.laboratory.places.child import Child
from e2e.laboratory.places.relay import require_all_sent
from transport.relay.command import MOST_LANES

START_LIMIT_S = 20.0


@dataclass(frozen=True, slots=True)
class Link:
    """What each session is behind."""

    rate_mbit: float
    delay_ms: float = 20.0
    """Each way."""
    queue_packets: int = 60

    @property
    def bytes_per_s(self) -> float:
        """Its rate."""
        return 1e6 / 8 * self.rate_mbit

    @property
    def text(self) -> str:
        """For readers."""
        return f"{self.rate_mbit:g} Mbit/s, {2 * self.delay_ms:g} ms and {self.queue_packets} packets"


@dataclass(frozen=True, slots=True)
class Paths:
    """Ports on loopback, a lane each."""

    ports: tuple[int, ...]
    relays: tuple[Child, ...]

    async def end(self) -> float | None:
        """End the relays; how late the latest woke, p99 of all its time, None where none has waited for anything.

        Raises ChildError where they lost datagrams beside their links.
        """
        said = [lines for relay in self.relays if (lines := await relay.stop())]
        for lines in said:
            require_all_sent(lines)
        last_words = [json.loads(lines[-1]) for lines in said]
        return max((words["lateness_p99_s"] for words in last_words if "lateness_p99_s" in words), default=None)


@asynccontextmanager
async def open_paths(link: Link, count: int, server_port: int) -> AsyncIterator[Paths]:
    """Raises ChildError."""
    ports: list[int] = []
    relays: list[Child] = []
    async with AsyncExitStack() as stack:
        for lanes in _spread(count):
            command = [sys.executable, "-m", "transport", "relay", "--upstream", f"127.0.0.1:{server_port}"]
            command += ["--port", *["0"] * lanes, "--link", f"{link.rate_mbit:g}mbit", "--delay", f"{link.delay_ms:g}"]
            command += ["--queue", str(link.queue_packets), "--control"]
            relays.append(await stack.enter_async_context(await Child.start("relay", command)))
        for relay in relays:
            ready = json.loads(await relay.next_line(START_LIMIT_S))
            ports += [lane["port"] for lane in ready["lanes"]]
        yield Paths(tuple(ports), tuple(relays))


def _spread(count: int) -> Sequence[int]:
    """Lanes of each relay, as even as can be."""
    relays = -(-count // MOST_LANES)
    return [count // relays + (number < count % relays) for number in range(relays)]
