"""When a connection wakes."""

from __future__ import annotations

import asyncio

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection

from transport.aioquic_adapter.timed import TimedProtocol
from transport.tests.serving import run


def test_a_timer_that_was_due_when_the_connection_ended_does_nothing() -> None:
    async def whole() -> None:
        protocol = TimedProtocol(QuicConnection(configuration=QuicConfiguration(is_client=True)))
        protocol._timer_at = asyncio.get_running_loop().time()
        protocol._closed.set()
        protocol._quic.handle_timer = lambda now: None  # type: ignore[method-assign]
        transmitted: list[float] = []
        protocol.transmit = lambda: transmitted.append(protocol._loop.time())  # type: ignore[method-assign]
        protocol._handle_timer()
        assert transmitted == []
        protocol._closed.clear()
        protocol._timer_at = asyncio.get_running_loop().time()
        protocol._handle_timer()
        assert len(transmitted) == 1

    run(whole())
