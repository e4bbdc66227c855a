"""Numbers of a media server, over the lives of its sessions."""

from __future__ import annotations

import asyncio
from pathlib import Path

from cc.receiver.nuwa import Nuwa
from cc.receiver.presets import preset
from transport.headless.client import open_session
from transport.media_server.media_protocol import MediaProtocol
from transport.media_server.server import start_server
from transport.media_server.server_metrics import ServerMetrics
from transport.tests.serving import ORIGIN, options_for, run
from transport.tests.test_paths import moving_link


def test_a_receivers_requests_are_counted_once_while_its_connection_outlives_the_session(film: Path) -> None:

    async def scenario() -> None:
        server = await start_server(options_for(film))
        metrics = server.measure("1")
        receiver = Nuwa(preset("on-demand").parameters)
        async with open_session(f"https://127.0.0.1:{server.port}/v1/nuwa", origin=ORIGIN, receiver=receiver) as client:
            await client.download("generated/300000", on_data=lambda data: None)
            (connection,) = server.connections
            assert isinstance(connection, MediaProtocol)
            before = _feedback(metrics)
            assert before > 0
            connection.end_idle_session()
            assert connection in server.connections
            assert _feedback(metrics) == before
        while server.connections:
            await asyncio.sleep(0)
        assert _feedback(metrics) == before
        await server.stop()

    run(scenario())


def test_nothing_is_kept_of_a_client_that_moves_after_its_session(film: Path) -> None:

    async def scenario() -> None:
        server = await start_server(options_for(film))
        receiver = Nuwa(preset("on-demand").parameters)
        async with (
            moving_link(server.port) as (link, other, url),
            open_session(f"{url}/v1/nuwa", origin=ORIGIN, receiver=receiver) as client,
        ):
            await client.download("generated/300000", on_data=lambda data: None)
            (connection,) = server.connections
            assert isinstance(connection, MediaProtocol)
            connection.end_idle_session()
            link.back = other
            client._quic.send_ping(1)
            client.transmit()
            while connection.connection.path.peer_host != "127.0.0.2":
                await asyncio.sleep(0)
            assert not server._service.receiver_driven
        await server.stop()

    run(scenario())


def _feedback(metrics: ServerMetrics) -> float:
    lines = metrics.as_text().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("nuwa_transport_feedback_total"))
