"""What a running server tells of itself, to readers that stand still or have gone, and its exit code."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from transport.media_server import serve
from transport.media_server.announcements import Announcer
from transport.media_server.certificate_rotation import CertificateRotation
from transport.media_server.load import Load
from transport.media_server.server import MediaServer, start_server, utc_now
from transport.tests.serving import options_for, run
from transport.tests.test_workers_parts import options_of

PIECE_BYTES = 65_536


@pytest.fixture
def pipe() -> Iterator[tuple[int, TextIO]]:
    """The end that is read, as a number, and the other, to write text to."""
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    with os.fdopen(write_end, "w") as writer:
        yield read_end, writer
        os.close(read_end)


def events_in(read_end: int) -> list[str]:
    """Of the lines that have come; blanks fill the pipe."""
    said = b""
    with contextlib.suppress(BlockingIOError):
        while piece := os.read(read_end, PIECE_BYTES):
            said += piece
    return [json.loads(line)["event"] for line in said.decode().split("\n") if line.strip()]


def fill(writer: TextIO) -> None:
    """Until there is no room in the pipe; who waits for some fails."""
    os.set_blocking(writer.fileno(), False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer.fileno(), b" " * 512)


def served_to(writer: TextIO, server: MediaServer, folder: Path, monkeypatch: pytest.MonkeyPatch) -> serve._Served:
    """With its events on that stream, and beats as fast as may be."""
    monkeypatch.setattr(sys, "stdout", writer)
    monkeypatch.setattr(serve, "BEAT_INTERVAL_S", 0.0)
    monkeypatch.setattr(serve, "look_for_cycles_seldom", lambda: None)
    return serve._Served(server, options_of(str(folder), "--workers", "1"))


def test_a_new_certificate_is_no_fault_where_nobody_reads() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    writer = os.fdopen(write_end, "w")
    assert not Announcer(writer).certificates(CertificateRotation("127.0.0.1", now=utc_now()).announced)
    with pytest.raises(BrokenPipeError):  # what could not be said
        writer.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /dev/full")
def test_nor_is_a_disk_without_room_for_it() -> None:
    writer = os.fdopen(os.open("/dev/full", os.O_WRONLY), "w")
    announcer = Announcer(writer)
    assert not announcer.certificates(CertificateRotation("127.0.0.1", now=utc_now()).announced)
    assert announcer.beat(Load()), "there may be room for the next"
    with pytest.raises(OSError, match="No space left"):
        writer.close()


def test_a_certificate_that_a_reader_missed_is_told_again_and_a_fault_is_an_exit_code(
    film: Path, pipe: tuple[int, TextIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        read_end, writer = pipe
        server = await start_server(options_for(film))
        served = served_to(writer, server, film, monkeypatch)
        serving = asyncio.create_task(served.until_stopped())
        while "ready" not in events_in(read_end):
            await asyncio.sleep(0)
        fill(writer)
        server.certificates.rotate()
        heard: list[str] = []
        while not heard:
            await asyncio.sleep(0)
            heard = events_in(read_end)
        assert heard == ["certificate"]
        server.on_fault()
        assert await serving == 1
        served.close()
        await server.stop()

    run(scenario())


def test_a_fault_in_its_beat_ends_the_server(
    film: Path, pipe: tuple[int, TextIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_load: Load) -> None:
        raise ZeroDivisionError

    async def scenario() -> None:
        _, writer = pipe
        server = await start_server(options_for(film))
        served = served_to(writer, server, film, monkeypatch)
        monkeypatch.setattr(served._metrics, "on_beat", fail)
        async with asyncio.timeout(10):
            assert await served.until_stopped() == 1
        served.close()
        await server.stop()

    run(scenario())
