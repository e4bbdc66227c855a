"""When a connection wakes."""

from __future__ import annotations

import asyncio

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection

from transport.aioquic_adapter.timed import KEPT_S, TimedProtocol
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


def test_a_timer_that_is_put_off_is_set_anew_when_it_goes_off_and_one_that_is_near_at_once() -> None:
    async def whole() -> None:
        protocol = TimedProtocol(QuicConnection(configuration=QuicConfiguration(is_client=True)))
        loop, quic = protocol._loop, protocol._quic
        handled: list[float] = []

        def note(now: float) -> None:
            handled.append(now)

        quic.handle_timer = note  # type: ignore[method-assign]
        protocol.transmit = lambda: None  # type: ignore[method-assign]

        def armed_for(due_s: float | None) -> asyncio.TimerHandle | None:
            quic.get_timer = lambda: due_s  # type: ignore[method-assign]
            protocol.arm_timer()
            return protocol._timer

        now_s = loop.time()
        far = armed_for(now_s + 10.0)
        assert far is not None
        assert armed_for(now_s + 11.0) is far
        protocol._handle_timer()
        later = protocol._timer
        assert later is not None
        assert (later.when(), handled) == (now_s + 11.0, [])
        near = armed_for(now_s + KEPT_S / 2)
        assert later.cancelled()
        assert near is not None
        at_last = armed_for(now_s + 1.0)
        assert near.cancelled()
        assert at_last is not None
        assert at_last.when() == now_s + 1.0
        protocol._handle_timer()
        assert handled == [now_s + 1.0]
        assert armed_for(None) is None

    run(whole())
