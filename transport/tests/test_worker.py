"""One worker and its place, of which a small program stands in for a media server."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from transport.media_server.workers import place as place_module
from transport.media_server.workers.parent import serve_by_workers
from transport.media_server.workers.place import Place
from transport.media_server.workers.worker import KNOWN_TICKS, Worker
from transport.tests.serving import run
from transport.tests.test_workers_parts import options_of

PROGRAM = """
import json, os, sys

def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)

sys.stdin.readline()
hashes = os.environ.get("HASHES", "").split()
say("ready", port=1, certificate_sha256=hashes, certificate_not_after="2030-01-01T00:00:00Z")
times_asked = 0
for line in sys.stdin:
    order = json.loads(line)["order"]
    if order == "end":
        sys.exit(3)
    times_asked += 1
    if times_asked > 1:  # its first answer fails
        say("metrics", text=f"answer {times_asked}")
"""
COMMAND = [sys.executable, "-c", PROGRAM]


@asynccontextmanager
async def running_worker(hashes: str = "") -> AsyncIterator[Worker]:
    """One that is heard; pages know its certificate by `hashes`."""
    worker = await Worker.start(COMMAND, os.environ | {"HASHES": hashes})
    hearing = asyncio.create_task(worker.until_ended(lambda message: None))
    yield worker
    await worker.stop()
    await hearing


def test_a_worker_that_did_not_answer_once_is_asked_again() -> None:
    async def scenario() -> None:
        async with running_worker() as worker:
            assert await worker.ask_metrics(0.0) is None
            assert await worker.ask_metrics(10.0) == "answer 2"
            assert await worker.ask_metrics(10.0) == "answer 3"

    run(scenario())


def test_pages_know_a_worker_that_was_told_of_for_a_while() -> None:
    async def scenario() -> None:
        async with running_worker("c2hhMjU2") as worker:
            known = []
            for _ in range(KNOWN_TICKS + 1):
                known.append(worker.is_known)
                worker.tick()
            assert not any(known)
            assert worker.is_known

    run(scenario())


def test_a_worker_whose_certificate_an_authority_signed_is_known_at_once() -> None:
    async def scenario() -> None:
        async with running_worker() as worker:
            assert worker.is_known

    run(scenario())


def test_a_machine_without_room_for_a_process_gets_its_worker_when_there_is_some(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(place_module, "RESTART_DELAYS_S", (0.0,))
    create = asyncio.create_subprocess_exec
    starts: list[Sequence[str]] = []

    async def create_but_fail_once(*command: str, **options: object) -> asyncio.subprocess.Process:
        starts.append(command)
        if len(starts) == 2:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return await create(*command, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", create_but_fail_once)

    async def scenario() -> None:
        changes: asyncio.Queue[None] = asyncio.Queue()
        place = Place(
            1,
            0,
            command=lambda name, port: COMMAND,
            environment=os.environ,
            on_change=lambda: changes.put_nowait(None),
            on_message=lambda place, message: None,
        )
        await place.start()
        await changes.get()
        first = place.worker
        assert first is not None
        first.order("end")
        await changes.get()  # it goes
        coming = asyncio.create_task(changes.get())
        await asyncio.wait({coming, place.supervision}, return_when=asyncio.FIRST_COMPLETED)
        assert not place.supervision.done()
        assert place.worker not in (None, first)
        await place.stop()

    run(scenario())
    assert len(starts) == 3
    assert "worker 1 cannot be run (Resource temporarily unavailable)" in caplog.text


def test_a_first_worker_that_cannot_be_run_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    async def create(*command: str, **options: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(asyncio, "create_subprocess_exec", create)
    options = options_of(str(tmp_path), "--workers", "2")
    assert asyncio.run(serve_by_workers(options)) == 1
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "the first worker cannot be run (Resource temporarily unavailable)"
    ]
