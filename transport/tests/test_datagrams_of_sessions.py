"""Stamps, feedback and pings over real sockets on loopback."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aioquic.quic.connection import NetworkAddress
from aioquic.quic.packet import QuicErrorCode

from cc.core.receiver_base import Stamp
from cc.receiver.observer import Observer
from transport.aioquic_adapter.size_search import MOST_BYTES
from transport.headless.client import ClientProtocol, open_session
from transport.media_server import datagram_limits
from transport.media_server.server import start_server
from transport.tests.serving import ORIGIN, options_for, run, until, with_session
from transport.wire_format.wire import encode_ping


def test_too_many_malformed_datagrams_close_the_session(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        for _ in range(60):
            client.send_raw_datagram(b"nonsense")
        assert "malformed datagrams" in await client.wait_session_closed()

    with_session(film, scenario, path="/v1/nuwa")


def test_a_few_malformed_datagrams_do_not(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        for length in (0, 1, 33, 34, 35, 1000):
            client.send_raw_datagram(bytes(length))
        assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200

    with_session(film, scenario, path="/v1/nuwa")


def test_datagrams_for_a_session_that_is_not_there_count_as_a_flood_too(
    film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datagram_limits, "FLOOD_SECONDS", 0)

    async def scenario(client: ClientProtocol) -> None:
        client._quic.send_datagram_frame(bytes([5]))
        client.transmit()
        assert "datagrams a second" in await client.wait_session_closed()

    with_session(film, scenario)


def test_an_acknowledgement_of_what_was_never_sent_ends_the_connection(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        space = client._quic._loss.spaces[-1]
        space.ack_queue.add(1_000_000, 1_000_001)
        space.ack_at = 0.0
        client.transmit()
        assert "never sent" in await client.wait_session_closed()
        event = client._quic._close_event
        assert event is not None
        assert event.error_code == QuicErrorCode.PROTOCOL_VIOLATION

    with_session(film, scenario)


def test_stamps_lead_flights_and_count_up(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        stamps: list[Stamp] = []
        client.stamp_observer = lambda stamp, received_time_s: stamps.append(stamp)
        await client.download("generated/3000000", on_data=lambda data: None)
        assert len(stamps) >= 10
        for earlier, later in itertools.pairwise(stamps):
            assert later.sequence > earlier.sequence
            assert later.send_time_s > earlier.send_time_s
            assert later.bytes_sent > earlier.bytes_sent
            assert later.packets_sent > earlier.packets_sent
        assert stamps[-1].smoothed_rtt_s is not None
        assert {stamp.max_datagram_bytes for stamp in stamps} == {MOST_BYTES}

    with_session(film, scenario)


def test_a_ping_is_answered_at_once_also_where_nothing_is_being_sent(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        for sequence in (0, 1, 2**32 - 1):
            answered: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            client.pong_observer = answered.set_result
            client.send_raw_datagram(encode_ping(sequence))
            assert await answered == sequence

    with_session(film, scenario, path="/v1/nuwa")


def test_pings_among_a_download_are_answered_and_leave_the_stamps_as_they_are(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        stamps: list[Stamp] = []
        pongs: list[int] = []

        def ping_back(stamp: Stamp, received_time_s: float) -> None:
            stamps.append(stamp)
            client.send_raw_datagram(encode_ping(stamp.sequence))

        client.stamp_observer = ping_back
        client.pong_observer = pongs.append
        await client.download("generated/12000000", on_data=lambda data: None)
        assert len(pongs) > 10
        assert set(pongs) <= {stamp.sequence for stamp in stamps}
        assert client.malformed_datagrams == 0
        assert len(stamps) > 0.9 * stamps[-1].sequence

    with_session(film, scenario, path="/v1/nuwa")


class CuttableLink(asyncio.DatagramProtocol):
    """Forwards datagrams between one client and a server, or loses all of them."""

    def __init__(self, server_port: int) -> None:
        self.is_cut = False
        self._server = ("127.0.0.1", server_port)
        self._client: NetworkAddress | None = None
        self.transport: asyncio.DatagramTransport | None = None

    def datagram_received(self, data: bytes, addr: NetworkAddress) -> None:
        assert self.transport is not None
        if addr != self._server:
            self._client = addr
        if not self.is_cut:
            self.transport.sendto(data, self._client if addr == self._server else self._server)


@asynccontextmanager
async def cuttable_link(server_port: int) -> AsyncIterator[tuple[CuttableLink, str]]:
    """A link to a server, and the server's address through it."""
    transport, link = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: CuttableLink(server_port), local_addr=("127.0.0.1", 0)
    )
    link.transport = transport
    try:
        yield link, f"https://127.0.0.1:{transport.get_extra_info('sockname')[1]}"
    finally:
        transport.close()


def test_the_first_ping_after_an_outage_is_answered_long_before_the_probe_timeout(film: Path) -> None:
    async def whole() -> None:
        loop = asyncio.get_running_loop()
        server = await start_server(options_for(film))
        async with (
            cuttable_link(server.port) as (link, url),
            open_session(f"{url}/v1/nuwa", origin=ORIGIN, receiver=Observer()) as client,
        ):
            arrived = asyncio.Event()
            download = asyncio.create_task(client.download("generated/1000000000", on_data=lambda data: arrived.set()))
            await arrived.wait()
            link.is_cut = True
            (protocol,) = server._server.connections
            recovery = protocol.connection.quic._loss
            await until(lambda: recovery._pto_count >= 6)
            timeout_at_s = recovery.get_loss_detection_time(amplification_limited=False)
            assert timeout_at_s is not None
            backed_off_s = timeout_at_s - loop.time()
            link.is_cut = False
            arrived.clear()
            answered: asyncio.Future[int] = loop.create_future()
            client.pong_observer = answered.set_result
            asked_s = loop.time()
            client.send_raw_datagram(encode_ping(7))
            assert await answered == 7
            await arrived.wait()
            assert loop.time() - asked_s < backed_off_s / 4
            download.cancel()
        await server.stop()

    run(whole())


def test_pings_that_are_malformed_close_the_session_in_the_end(film: Path) -> None:
    async def scenario(client: ClientProtocol) -> None:
        for _ in range(60):
            client.send_raw_datagram(encode_ping(1) + b"x")
        assert "a ping has 8 bytes, not 9" in await client.wait_session_closed()

    with_session(film, scenario, path="/v1/nuwa")
