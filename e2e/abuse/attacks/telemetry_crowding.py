"""Telemetry of one client that keeps everybody else's out: reports of many sessions, and floods by way of a proxy."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import socket
import time
import uuid
from collections.abc import Iterator, Sequence

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import SERVED, page_served_s
from e2e.abuse.web import LIVES
from e2e.laboratory.figures.figure import Reach

REFUSED = Limit("batches of others refused", Reach("at most", 0.0))
TAKEN_S = Limit("a batch of others is on the disk within", Reach("at most", 2.0), "s")
CONNECTIONS = 32
SECONDS = 10.0
SMALL_SECONDS = 3.0
BATCH_EACH_S = 0.1
TIME_LIMIT_S = 30.0
MANY_SESSIONS = 200
"""An event each: as many as a report may have."""
ALLOWED_SESSIONS = 8
STRANGER, FLOOD, OTHERS = "198.51.100.7", 10_000, 50
"""A client, what it sends at most, and how many come after it."""
TOO_MANY = 429
REPORT_TYPE, BATCH_TYPE = "application/cmcd", "application/json"


async def measure(ground: Ground) -> Sequence[Sample]:
    """Reports from one address while another sends a batch ten times a second."""
    for_s = SMALL_SECONDS if ground.is_small else SECONDS
    samples = []
    for sessions in (MANY_SESSIONS, ALLOWED_SESSIONS):
        arm, rng = f"{sessions} sessions a report", ground.rng("telemetry-crowding", sessions)
        async with ground.web_server() as server:
            await page_served_s(server.port)
            flooding = [asyncio.create_task(_flood(server.port, sessions, rng)) for _ in range(CONNECTIONS)]
            try:
                waits_s = await _batches(server.port, rng, for_s)
                samples.append(SERVED.of(await page_served_s(server.port), arm))
            finally:
                for task in flooding:
                    task.cancel()
                ended = await asyncio.gather(*flooding, return_exceptions=True)
            if errors := [error for error in ended if isinstance(error, AttackError)]:
                raise errors[0]
            taken_s = [wait_s for wait_s in waits_s if wait_s is not None]
            samples += [TAKEN_S.of(wait_s, arm) for wait_s in taken_s]
            samples += [
                REFUSED.of(float(len(waits_s) - len(taken_s)), arm),
                LIVES.of(float(server.process.is_alive), arm),
            ]
    return [*samples, await _by_proxy(ground)]


async def _by_proxy(ground: Ground) -> Sample:
    """A proxy's one connection, over which a stranger sends until it is refused for that, and then others."""
    rng, port = ground.rng("telemetry-crowding", "proxy"), _free_port()
    options = ("--public-url", f"https://127.0.0.1:{port}", "--port", str(port), "--udp-port", "0")
    async with ground.web_server(*options) as server:
        connection = await _Connection.open(server.port)

        async def send(address: str, body: bytes) -> int:
            path = f"sessions/{_session(rng)}/events"
            return await connection.post(path, BATCH_TYPE, body, f"X-Forwarded-For: {address}\r\n")

        for _ in range(FLOOD):
            if await send(STRANGER, b"{}") == TOO_MANY:
                break
        else:
            raise AttackError(f"none of a stranger's {FLOOD} batches is one too many")
        statuses = [await send(f"192.0.2.{place}", _batch(itertools.count())) for place in range(OTHERS)]
        connection.writer.close()
    return REFUSED.of(float(sum(status != 200 for status in statuses)), "behind a proxy")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


class _Connection:
    """One that posts, and reads what it is answered."""

    def __init__(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._port, self._reader, self.writer = port, reader, writer

    @classmethod
    async def open(cls, port: int, host: str | None = None) -> _Connection:
        local = None if host is None else (host, 0)
        return cls(port, *await asyncio.open_connection("127.0.0.1", port, local_addr=local))

    async def post(self, path: str, kind: str, body: bytes, more: str = "") -> int:
        """Status of the answer. Raises IncompleteReadError, TimeoutError or OSError."""
        head = f"Host: 127.0.0.1:{self._port}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}"
        self.writer.write(f"POST /api/telemetry/{path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        async with asyncio.timeout(TIME_LIMIT_S):
            answer = await self._reader.readuntil(b"\r\n\r\n")
            if length := _length_of(answer):
                await self._reader.readexactly(length)
        return int(answer.split(b" ")[1])


def _length_of(head: bytes) -> int:
    lines = head.decode("latin-1").lower().split("\r\n")
    return next((int(line.split(":")[1]) for line in lines if line.startswith("content-length:")), 0)


async def _flood(port: int, sessions: int, rng: random.Random) -> None:
    """Reports without end, each of new sessions. Raises AttackError where none is even looked at."""
    connection = await _Connection.open(port, ONE_ADDRESS)
    try:
        while True:
            status = await connection.post("cmcd", REPORT_TYPE, _report(sessions, rng))
            if status not in (204, 400, 429, 503):
                raise AttackError(f"a report is answered {status}")
    finally:
        connection.writer.close()


async def _batches(port: int, rng: random.Random, for_s: float) -> list[float | None]:
    """How long each batch of an honest page took; None where it was refused."""
    loop = asyncio.get_running_loop()
    connection, sid, numbers = await _Connection.open(port), _session(rng), itertools.count()
    waits_s: list[float | None] = []
    end_s = loop.time() + for_s
    while loop.time() < end_s:
        began_s = loop.time()
        status = await connection.post(f"sessions/{sid}/events", BATCH_TYPE, _batch(numbers))
        waits_s.append(loop.time() - began_s if status == 200 else None)
        await asyncio.sleep(BATCH_EACH_S)
    connection.writer.close()
    return waits_s


def _report(sessions: int, rng: random.Random) -> bytes:
    return "\n".join(f'e=t,sid="{_session(rng)}",sn=0,ts={_now_ms()},v=2' for _ in range(sessions)).encode()


def _batch(numbers: Iterator[int]) -> bytes:
    event = {"sn": next(numbers), "ts": _now_ms(), "e": "t", "sta": "p"}
    batch = {"schema": 1, "v": 2, "cid": "film", "sf": "d", "st": "v", "dropped": 0, "events": [event]}
    return json.dumps(batch).encode()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _session(rng: random.Random) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


ATTACK = Attack(
    name="telemetry-crowding",
    summary=f"Sends reports of {MANY_SESSIONS} or {ALLOWED_SESSIONS} new sessions each, and floods by a proxy.",
    limits=(REFUSED, TAKEN_S, SERVED, LIVES),
    measure=measure,
)
