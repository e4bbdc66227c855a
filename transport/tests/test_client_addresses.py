"""Which of a name's addresses a client asks."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from cc.receiver.observer import Observer
from transport.headless.client import open_session
from transport.tests.serving import ORIGIN, run, running_server


def test_of_localhost_the_one_at_which_servers_listen_is_asked(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def found(_: object, host: str, port: int, **__: object) -> list[tuple[object, ...]]:
        """As many systems have it."""
        assert host == "localhost"
        datagrams = (socket.SOCK_DGRAM, socket.IPPROTO_UDP, "")
        return [
            (socket.AF_INET6, *datagrams, ("::1", port, 0, 0)),
            (socket.AF_INET, *datagrams, ("127.0.0.1", port)),
        ]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", found)

    async def scenario() -> None:
        async with running_server(film) as numeric:
            url = f"{numeric.replace('127.0.0.1', 'localhost')}/v1/cubic"
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as client:
                assert (await client.download("generated/1000", on_data=lambda data: None))["status"] == 200

    run(scenario())
