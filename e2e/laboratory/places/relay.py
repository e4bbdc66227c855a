"""The relay of transport/ as a run's link, and as the detour of a flow whose path is longer."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.emulated_link import EmulatedLink
from e2e.laboratory.plan import RunPlan

START_LIMIT_S = 20.0
ANSWER_LIMIT_S = 5.0
RELAY = (sys.executable, "-m", "transport", "relay", "--control")
NO_SERVER = "127.0.0.1:9"
"""The discard port, until there is one."""


class _Lane(msgspec.Struct):
    port: int


class _Link(msgspec.Struct):
    started_at_ms: float


class _Ready(msgspec.Struct):
    """What a relay says when it is ready."""

    lanes: list[_Lane]
    link: _Link


class _Ended(msgspec.Struct):
    """What it says at its end."""

    datagrams_unsent: int = 0
    datagrams_refused: int = 0
    datagrams_turned_away: int = 0
    datagrams_missed: int = 0


class Relay(EmulatedLink):
    """One with a single lane, between receivers and server on loopback."""

    host = listen_host = "127.0.0.1"

    def __init__(self, child: Child, ready: _Ready, log: Path) -> None:
        self._child, self._log = child, log
        self._port = ready.lanes[0].port
        self.started_at_s = ready.link.started_at_ms / 1000

    async def connect(self, server_port: int) -> int:
        """Raises ChildError where the relay does not obey."""
        await self._child.send(json.dumps({"command": "upstream", "host": self.listen_host, "port": server_port}))
        line = await self._child.next_line(ANSWER_LIMIT_S)
        if json.loads(line).get("event") != "upstream":
            raise ChildError(f'the relay said "{line}" when told where the server is')
        return self._port

    async def close(self) -> str:
        """Ends it; its log. Raises ChildError where datagrams were lost beside the link."""
        require_all_sent(await self._child.stop())
        return self._log.read_text(encoding="ascii")


def require_all_sent(last_lines: Sequence[str]) -> None:
    """Raise ChildError where a relay says at its end that it lost datagrams which its link would have carried."""
    if not last_lines:
        return
    ended = msgspec.json.decode(last_lines[-1], type=_Ended)
    lost = {
        "that the system did not take": ended.datagrams_unsent,
        "that came faster than it read them": ended.datagrams_missed,
        "of clients beyond its places": ended.datagrams_refused,
        "too large, or beyond its memory": ended.datagrams_turned_away,
    }
    if any(lost.values()):
        kinds = ", ".join(f"{count} {kind}" for kind, count in lost.items() if count)
        raise ChildError(
            f"the relay lost {sum(lost.values())} datagrams beside its link ({kinds}); is the machine busy?"
        )


@asynccontextmanager
async def open_relay(plan: RunPlan, folder: Path) -> AsyncIterator[Relay]:
    """With the very traces that mahimahi would get; the link's time begins now, before there is a server."""
    link, log = plan.link, folder / "downlink.log"
    options = ["--upstream", NO_SERVER, "--link", str(folder / "link.down"), "--delay", str(link.delay_ms)]
    options += ["--loss", str(link.loss_ratio), "--seed", str(plan.seed), "--log", str(log)]
    options += ["--clock", "mahimahi", "--discipline", link.discipline]
    if link.queue_packets is not None:
        options += ["--queue", str(link.queue_packets)]
    async with await Child.start("relay", [*RELAY, *options]) as child:
        yield Relay(child, await _ready(child), log)


@asynccontextmanager
async def start_relay(options: Sequence[str]) -> AsyncIterator[tuple[Child, int]]:
    """One with a single lane, and that lane's port. Raises ChildError."""
    async with await Child.start("relay", [*RELAY, *options]) as child:
        yield child, (await _ready(child)).lanes[0].port


@asynccontextmanager
async def open_detour(link: EmulatedLink, port: int, *, extra_rtt_ms: float) -> AsyncIterator[tuple[str, int]]:
    """Where a receiver reaches the server at `port` on a longer way: a relay that only delays, beside the receiver.

    Raises ChildError at its end where datagrams were lost beside the way.
    """
    options = ["--upstream", f"{link.host}:{port}", "--delay", f"{extra_rtt_ms / 2:g}"]
    async with await Child.start("detour", link.inside([*RELAY, *options])) as child:
        yield "127.0.0.1", (await _ready(child)).lanes[0].port
        require_all_sent(await child.stop())


async def _ready(child: Child) -> _Ready:
    line = await child.next_line(START_LIMIT_S)
    try:
        return msgspec.json.decode(line, type=_Ready)
    except msgspec.DecodeError as error:
        raise ChildError(f'the relay said "{line}" instead of that it is ready') from error
