"""`serve --workers N` as processes: where sessions go, what becomes of them when a worker ends, who is told of whom."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cc.receiver.observer import Observer
from transport.headless.client import ClientProtocol, SessionClosedError, open_session
from transport.tests.test_serve import ORIGIN, Served, run, served

LIMIT_S = 2.0
"""In which a session is open again elsewhere."""


@asynccontextmanager
async def two_workers(directory: Path, *options: str) -> AsyncIterator[tuple[Served, dict[str, Any]]]:
    """With the ready line; a stopped parent takes its workers with it."""
    async with served(directory, "--workers", "2", "--stop-with-stdin", *options) as server:
        yield server, await server.next_event("ready")
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert await server.process.wait() == 0


def url_of(worker: dict[str, Any]) -> str:
    """For a session with it."""
    return f"https://127.0.0.1:{worker['port']}/v1/cubic"


def workers_of(parent_pid: int) -> dict[int, int]:
    """Pid of each worker by its number."""
    children = Path(f"/proc/{parent_pid}/task/{parent_pid}/children").read_text().split()
    commands = {int(pid): Path(f"/proc/{pid}/cmdline").read_text().split("\0") for pid in children}
    return {int(words[words.index("--worker") + 1]): pid for pid, words in commands.items() if "--worker" in words}


async def until_workers(server: Served, count: int) -> list[dict[str, Any]]:
    """The next list of so many."""
    while True:
        workers: list[dict[str, Any]] = (await server.next_event("workers"))["workers"]
        if len(workers) == count:
            return workers


async def bytes_of(client: ClientProtocol) -> int:
    """What a short download brings."""
    brought = 0

    def count(data: bytes) -> None:
        nonlocal brought
        brought += len(data)

    await client.download("generated/1000", on_data=count)
    return brought


SEGMENT = random.Random(1).randbytes(20_000_000)
REST_BYTES = 50_000
"""What is asked of the other worker."""


class Downloaded:
    """What has come of a response."""

    def __init__(self, *, enough_bytes: int = 0) -> None:
        """`enough` is set from so many bytes on."""
        self.data = bytearray()
        self.enough = asyncio.Event()
        self._enough_bytes = enough_bytes

    def on_data(self, data: bytes) -> None:
        """Some more."""
        self.data += data
        if len(self.data) >= self._enough_bytes:
            self.enough.set()


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="asks /proc for the workers' processes")
def test_a_worker_that_dies_takes_only_its_sessions_whose_downloads_go_on_at_another_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        film = tmp_path / "film"
        film.mkdir()
        (film / "segment.m4s").write_bytes(SEGMENT)
        file = tmp_path / "nuwa.json"
        async with two_workers(film, "--address-file", str(file), "--public-host", "film.example") as (server, ready):
            first, second = ready["workers"]
            assert first["port"] == ready["port"] != second["port"]
            assert set(first) == {"port", "certificate_sha256", "sessions"}  # nothing that changes all the time
            assert {each["url"] for each in json.loads(file.read_text())["workers"]} == {
                f"https://film.example:{first['port']}",
                f"https://film.example:{second['port']}",
            }
            async with open_session(url_of(second), origin=ORIGIN, receiver=Observer()) as survivor:
                async with open_session(url_of(first), origin=ORIGIN, receiver=Observer()) as client:
                    begun = Downloaded(enough_bytes=100_000)
                    download = asyncio.create_task(client.download("segment.m4s", on_data=begun.on_data))
                    await begun.enough.wait()
                    loop = asyncio.get_running_loop()
                    died_s = loop.time()
                    os.kill(workers_of(server.process.pid)[1], signal.SIGKILL)
                    (left,) = await until_workers(server, 1)
                    assert left["port"] == second["port"]
                    assert [each["url"] for each in json.loads(file.read_text())["workers"]] == [
                        f"https://film.example:{second['port']}"
                    ]
                    async with open_session(url_of(left), origin=ORIGIN, receiver=Observer()) as again:
                        rest, brought = Downloaded(), len(begun.data)
                        span = (brought, brought + REST_BYTES - 1)
                        await again.download("segment.m4s", on_data=rest.on_data, byte_range=span)
                        assert begun.data[:brought] + rest.data == SEGMENT[: brought + REST_BYTES]
                    assert loop.time() - died_s < LIMIT_S
                    download.cancel()
                    await asyncio.wait([download])
                assert await bytes_of(survivor) == 1000
                back, _ = await until_workers(server, 2)
            assert back["port"] == first["port"]
            assert back["certificate_sha256"] != first["certificate_sha256"]

    run(scenario)


@pytest.mark.skipif(not hasattr(signal, "SIGUSR2"), reason="there is no such signal here")
def test_workers_are_made_new_one_by_one_and_sessions_find_another(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_workers(tmp_path) as (server, ready):
            first, second = ready["workers"]
            async with open_session(url_of(first), origin=ORIGIN, receiver=Observer()) as client:
                server.process.send_signal(signal.SIGUSR2)
                (left,) = await until_workers(server, 1)
                assert left["port"] == second["port"]
                with pytest.raises(SessionClosedError):
                    await client.download("generated/100000000", on_data=lambda data: None)
            assert len(await until_workers(server, 2)) == 2
            (left,) = await until_workers(server, 1)
            assert left["port"] == first["port"]
            assert [each["port"] for each in await until_workers(server, 2)] == [first["port"], second["port"]]

    run(scenario)


def test_metrics_and_health_tell_of_all_workers(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_workers(tmp_path, "--metrics-port", "0") as (server, ready):
            async with open_session(url_of(ready["workers"][0]), origin=ORIGIN, receiver=Observer()) as client:
                await client.download("generated/200000", on_data=lambda data: None)
                while (await server.next_event("workers"))["workers"][0]["sessions"] != 1:
                    pass
                text = await ask(ready["metrics_port"], "/metrics")
            for line in (
                'nuwa_transport_sessions{worker="1"} 1.0',
                'nuwa_transport_sessions{worker="2"} 0.0',
                'nuwa_transport_worker_starts_total{worker="2"} 1.0',
                'nuwa_transport_newcomers_total{verdict="dropped",worker="1"} 0.0',
                'nuwa_transport_feedback_total{verdict="lowered",worker="1"} 0.0',
                "nuwa_transport_workers 2.0",
            ):
                assert f"{line}\n" in text
            sent = next(line for line in text.splitlines() if line.startswith("nuwa_transport_sent_bytes_total"))
            assert float(sent.split()[1]) > 200_000
            assert json.loads(await ask(ready["metrics_port"], "/healthz")) == {"status": "ok", "workers": 2}

    run(scenario)


async def ask(port: int, path: str) -> str:
    """Over HTTP."""

    def fetch() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            text: str = answer.read().decode()
            return text

    return await asyncio.to_thread(fetch)
