"""For tests: a server and a client over real sockets on loopback."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from aioquic.quic.configuration import QuicConfiguration

from cc.links.catalogue import LinkCatalogue
from cc.receiver.observer import Observer
from transport.headless.client import ClientProtocol, make_client, open_session, open_session_as
from transport.media_server.media_protocol import MediaProtocol
from transport.media_server.rate_limits import RateLimits
from transport.media_server.server import start_server
from transport.media_server.server_options import ServerOptions
from transport.relay.lane import resolve
from transport.relay.relay import Relay, RelayOptions
from transport.relay.settings import LinkSettings, prepare_link

ORIGIN = "http://localhost:8080"
SEGMENT = bytes(range(256)) * 1000
TIME_LIMIT_S = 20.0


def options_for(
    directory: Path, qlog_directory: Path | None = None, session_rate_mbit: float | None = None
) -> ServerOptions:
    """A server on loopback."""
    return ServerOptions(
        directory=directory,
        host="127.0.0.1",
        port=0,
        origins=frozenset({ORIGIN}),
        qlog_directory=qlog_directory,
        rate_limits=RateLimits(session_mbit=session_rate_mbit),
    )


@asynccontextmanager
async def running_server(directory: Path, qlog_directory: Path | None = None) -> AsyncIterator[str]:
    """A server's address."""
    server = await start_server(options_for(directory, qlog_directory))
    try:
        yield f"https://127.0.0.1:{server.port}"
    finally:
        await server.stop()


@asynccontextmanager
async def behind_link(port: int, settings: LinkSettings) -> AsyncIterator[tuple[str, int]]:
    """The address at which the server of the port is reached over an emulated link."""
    link = prepare_link(settings, LinkCatalogue([]))
    relay = Relay(RelayOptions(resolve("127.0.0.1", port), "127.0.0.1", [0], [], seed=1), link)
    thread = threading.Thread(target=relay.run)
    thread.start()
    try:
        yield relay.lanes[0].address
    finally:
        relay.stop()
        await asyncio.to_thread(thread.join)
        relay.close()


async def until(condition: Callable[[], bool]) -> None:
    """Until it holds; whoever runs the scenario limits the wait."""
    while not condition():
        await asyncio.sleep(0.01)


def run(scenario: Awaitable[None]) -> None:
    """Run to the end, or fail after a time no scenario needs."""

    async def limited() -> None:
        async with asyncio.timeout(TIME_LIMIT_S):
            await scenario

    asyncio.run(limited())


def with_session(
    film: Path, scenario: Callable[[ClientProtocol], Awaitable[None]], *, path: str = "/v1/cubic", origin: str = ORIGIN
) -> None:
    """Run a scenario in a session."""

    async def whole() -> None:
        async with (
            running_server(film) as url,
            open_session(url + path, origin=origin, receiver=Observer()) as client,
        ):
            await scenario(client)

    run(whole())


def with_both_ends(
    film: Path,
    scenario: Callable[[ClientProtocol, MediaProtocol], Awaitable[None]],
    *,
    make_client: Callable[[QuicConfiguration], ClientProtocol] = make_client,
) -> None:
    """Run a scenario in a session under CUBIC, of which it sees the server's end, too."""

    async def whole() -> None:
        server = await start_server(options_for(film))
        try:
            url = f"https://127.0.0.1:{server.port}/v1/cubic"
            async with open_session_as(make_client, url, origin=ORIGIN, receiver=Observer()) as client:
                (connection,) = server.connections
                assert isinstance(connection, MediaProtocol)
                await scenario(client, connection)
        finally:
            await server.stop()

    run(whole())
