"""Event reports of words that are new each time, or of numbers: decoding them takes time, and may keep them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Sequence

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import SERVED, page_served_s
from e2e.abuse.serving import Served
from e2e.abuse.web import LIVES
from e2e.laboratory.figures.figure import Reach

KEPT = Limit("memory kept of each byte sent", Reach("at most", 1.0), "bytes")
"""After a collection of garbage. A symbol takes some five times its token."""
ADDRESSES = 4
SMALL_ADDRESSES = 1
REPORTS = 90
"""From each address: what one connection may send at once, and less than one address may."""
LINES = 16
LINE_CHARACTERS = 3900
VISIT_EACH_S = 0.1
TIME_LIMIT_S = 60.0
SID = "0b0e4aca-7d4b-4d0c-9d5b-2f7b3f1f0a11"

Filling = Callable[[int], str]
"""What a line has beside what each event must have; the number is of this line alone."""


async def measure(ground: Ground) -> Sequence[Sample]:
    """Every event is a valid one, so that each is decoded to its end."""
    hosts = many_addresses(SMALL_ADDRESSES if ground.is_small else ADDRESSES, ground.rng("cmcd-tokens"))
    samples = []
    for arm, filling in {"tokens": _tokens, "numbers": _numbers}.items():
        async with ground.web_server() as server:
            await page_served_s(server.port)
            await _send(server.port, ONE_ADDRESS, _reports(filling, len(hosts)))  # code and caches have their size then
            before_bytes = await _held_bytes(server)
            sending = [
                asyncio.create_task(_send(server.port, host, _reports(filling, place)))
                for place, host in enumerate(hosts)
            ]
            waits = []
            while not all(task.done() for task in sending):
                waits.append(SERVED.of(await page_served_s(server.port), arm))
                await asyncio.sleep(VISIT_EACH_S)
            sent_bytes = sum([await task for task in sending])
            samples += [*waits, LIVES.of(float(server.process.is_alive), arm)]
            samples.append(KEPT.of((await _held_bytes(server) - before_bytes) / sent_bytes, arm))
    return samples


def _tokens(number: int) -> str:
    return ",".join(f"x-{place}=t{number}.{place}" for place in range(LINE_CHARACTERS // 20))


def _numbers(_number: int) -> str:
    return f"bl=({' '.join('1' * (LINE_CHARACTERS // 2))})"


def _reports(filling: Filling, place: int) -> Iterator[bytes]:
    """No two of an attack have a line in common."""
    now_ms = time.time_ns() // 1_000_000
    for report in range(REPORTS):
        first = (place * REPORTS + report) * LINES
        lines = (f'{filling(n)},e=t,sid="{SID}",sn={n},ts={now_ms},v=2' for n in range(first, first + LINES))
        yield "\n".join(lines).encode()


async def _send(port: int, host: str, reports: Iterator[bytes]) -> int:
    """One after the other over one connection; bytes of all. Raises AttackError where one is not taken."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))
    sent_bytes = 0
    try:
        async with asyncio.timeout(TIME_LIMIT_S):
            for body in reports:
                head = f"Host: 127.0.0.1:{port}\r\nContent-Type: application/cmcd\r\nContent-Length: {len(body)}"
                writer.write(f"POST /api/telemetry/cmcd HTTP/1.1\r\n{head}\r\n\r\n".encode() + body)
                answer = await reader.readuntil(b"\r\n\r\n")
                if b" 204 " not in answer.split(b"\r\n")[0]:
                    raise AttackError(f"a report was not taken: {answer[:200]!r}")
                sent_bytes += len(body)
    finally:
        writer.close()
    return sent_bytes


async def _held_bytes(server: Served) -> int:
    """JavaScript's memory of the web server, once garbage is collected."""
    await server.child.send(json.dumps({"command": "collect-garbage"}))
    while True:
        line = await server.child.next_line(TIME_LIMIT_S)
        if line.startswith("{") and (said := json.loads(line))["event"] == "collected":
            return int(said["held"]["heap"])


ATTACK = Attack(
    name="cmcd-tokens",
    summary=f"Sends {REPORTS} event reports from each of {ADDRESSES} addresses, full of new tokens or of numbers.",
    limits=(SERVED, KEPT, LIVES),
    measure=measure,
)
