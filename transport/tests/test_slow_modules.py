"""A scheme that is slow to load holds up nobody's session but its own first."""

from __future__ import annotations

import asyncio
import threading
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from cc.receiver.presets import preset
from cc.registry import scheme
from transport.headless.receive import ReceiveOptions, receive
from transport.media_server import slow_modules
from transport.media_server.server import start_server
from transport.media_server.server_options import ServerOptions
from transport.media_server.slow_modules import SlowModules

ORIGIN = "http://localhost:5173"
NAME = "sprout"


async def watch(folder: Path, *, sessions: int) -> None:
    """Some downloads, one after another, under the scheme."""
    options = ServerOptions(directory=folder, host="127.0.0.1", port=0, origins=frozenset({ORIGIN}))
    server = await start_server(options)
    url = f"https://127.0.0.1:{server.port}"
    try:
        for _ in range(sessions):
            receiving = ReceiveOptions(url=url, origin=ORIGIN, scheme=scheme(NAME), preset=preset("bulk"), seconds=0.3)
            assert (await receive(receiving)).throughput_bits_per_s > 0
    finally:
        await server.stop()


def test_the_first_session_waits_until_its_module_is_loaded_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[tuple[str, bool]] = []

    def noting(name: str) -> ModuleType:
        loaded.append((name, threading.current_thread() is threading.main_thread()))
        return import_module(name)

    monkeypatch.setattr(slow_modules, "import_module", noting)
    asyncio.run(watch(tmp_path, sessions=2))
    assert loaded == [(scheme(NAME).slow_module, False)]


def test_where_no_thread_can_be_had_a_session_goes_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    async def wait() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "run_in_executor", refuse)
        modules, settled = SlowModules(), asyncio.Event()
        modules.when_settled("json", settled.set)
        await asyncio.wait_for(settled.wait(), 10)
        assert modules.is_settled("json")

    asyncio.run(wait())
