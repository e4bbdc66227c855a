"""An exception in one connection ends that connection, wherever it is raised, and no other."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cc.core.network_report import NetworkReport
from cc.receiver.observer import Observer
from transport.headless.client import SessionClosedError, open_session
from transport.media_server.media_protocol import MediaProtocol
from transport.media_server.server import start_server
from transport.tests.serving import ORIGIN, options_for, run, until

PLACES = {
    "an ACK": lambda faulty: faulty.connection.scheme,
    "writing ahead": lambda faulty: faulty._session,
    "a flight": lambda faulty: faulty.connection,
    "a timer": lambda faulty: faulty._quic,
    "the end of a batch": lambda faulty: faulty.connection,
    "a bound of what is in flight": lambda faulty: faulty.connection,
    "a network report": lambda faulty: faulty.connection,
}
METHODS = {
    "an ACK": "on_ack",
    "writing ahead": "write_ahead",
    "a flight": "take_flight",
    "a timer": "handle_timer",
    "the end of a batch": "notice_path",
    "a bound of what is in flight": "bound_flight",
    "a network report": "on_network_report",
}


@pytest.mark.parametrize("place", PLACES)
def test_a_fault_ends_one_connection(film: Path, place: str, caplog: pytest.LogCaptureFixture) -> None:
    async def whole() -> None:
        told: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
        server = await start_server(options_for(film))
        server.on_fault = lambda: pytest.fail("the whole server has a fault")
        url = f"https://127.0.0.1:{server.port}/v1/cubic"

        def divide(*args: object, **named: object) -> None:
            raise ZeroDivisionError("a scheme divides by 0")

        try:
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as client:
                (faulty,) = server.connections
                assert isinstance(faulty, MediaProtocol)
                async with open_session(url, origin=ORIGIN, receiver=Observer()) as neighbour:
                    unfinished = asyncio.create_task(client.download("generated/1000000000", on_data=lambda data: None))
                    await until(lambda: faulty.connection.bytes_in_flight > 0)
                    setattr(PLACES[place](faulty), METHODS[place], divide)
                    if place == "a timer":
                        faulty._handle_timer()  # each ACK sets it anew, so that a busy loop never comes to it
                    elif place == "a network report":
                        server._on_network_report(NetworkReport(1, ()))
                    with pytest.raises(SessionClosedError, match="internal error"):
                        await unfinished
                    await until(lambda: faulty not in server.connections)
                    head = await neighbour.download("generated/1000000", on_data=lambda data: None)
                    assert head["status"] == 200
            assert told == []
            assert caplog.text.count("ended after an unexpected error") == 1
        finally:
            await server.stop()

    run(whole())
