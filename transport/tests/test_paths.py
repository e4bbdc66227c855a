"""A client that goes on from another address: its host makes another scheme, and all else of the session survives."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aioquic.quic.packet import QuicPacketType
from aioquic.quic.packet_builder import QuicSentPacket
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.tls import Epoch

from cc.core.base import SenderScheme
from cc.core.receiver_base import Feedback, Stamp
from cc.receiver.nuwa import Nuwa
from cc.receiver.observer import Observer
from cc.receiver.presets import preset
from cc.registry import scheme
from cc.sender.receiver_driven import ReceiverDriven
from transport.aioquic_adapter.connection import ControlledConnection
from transport.aioquic_adapter.connection_path import MOVES_BURST, MOVES_PER_S
from transport.aioquic_adapter.protocol import BatchedProtocol
from transport.aioquic_adapter.size_search import MOST_BYTES
from transport.headless.client import ClientProtocol, SessionClosedError, open_session
from transport.media_server.server import start_server
from transport.policies import PolicyReport
from transport.tests.serving import ORIGIN, options_for, run
from transport.tests.test_aioquic_adapter import connection
from transport.tests.test_policies import ShelfOfSilence
from transport.tests.test_watch_list import acknowledge_all

PACKET_BYTES = 1200
WINDOW_BYTES = 10 * PACKET_BYTES
OLD, NEW = ("192.0.2.1", 4000), ("198.51.100.7", 4000)


class Moving:
    """A connection under a receiver-driven scheme whose peer is wherever `address` says."""

    def __init__(self) -> None:
        self.made: list[ReceiverDriven] = []
        self.address: tuple[str, int] | None = None
        self.quic = connection()
        self.quic.get_peer_address = lambda: self.address  # type: ignore[method-assign]
        self.connection = ControlledConnection(self.quic, self.make, random.Random(7))
        self.space = QuicPacketSpace()
        self.quic._loss.spaces = [self.space]
        self.next_number = 0
        self.sequence = 0

    def make(self, max_datagram_bytes: int) -> ReceiverDriven:
        self.made.append(ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)))
        return self.made[-1]

    def be_at(self, address: tuple[str, int], *, now_s: float) -> None:
        self.address = address
        self.connection.notice_path(now_s=now_s)

    def send(self, packets: int, *, now_s: float) -> range:
        first = self.next_number
        self.next_number += packets
        for number in range(first, self.next_number):
            packet = QuicSentPacket(
                Epoch.ONE_RTT, True, True, False, number, QuicPacketType.ONE_RTT, sent_time=now_s, sent_bytes=1200
            )
            self.quic._loss.on_packet_sent(packet=packet, space=self.space)
        self.quic._packet_number = self.next_number
        return range(first, self.next_number)

    def ack(self, numbers: range, *, now_s: float) -> None:
        self.quic._loss.on_ack_received(ack_rangeset=RangeSet([numbers]), ack_delay=0.0, now=now_s, space=self.space)

    def stamp(self, *, now_s: float) -> Stamp:
        stamp = self.connection.stamp_if_due(now_s=now_s)
        assert stamp is not None
        return stamp

    def ask(self, window_bytes: int, *, epoch: int, now_s: float) -> None:
        """Feedback that also ends slow start."""
        feedback = Feedback(self.sequence, epoch, 0, window_bytes, True, 0, 0.0, None, None)
        self.sequence += 1
        self.connection.on_feedback(feedback, now_s=now_s)


@pytest.fixture
def moving() -> Moving:
    """At its first address; a round trip of 50 ms is known, and a window of 8 packets was asked for."""
    moving = Moving()
    moving.be_at(OLD, now_s=1.0)
    stamp = moving.stamp(now_s=1.0)
    moving.ack(moving.send(4, now_s=1.0), now_s=1.05)
    moving.ask(8 * PACKET_BYTES, epoch=stamp.epoch, now_s=1.05)
    assert moving.connection.scheme.cwnd_bytes == 8 * PACKET_BYTES
    return moving


def test_another_host_is_another_path_and_another_port_is_none(moving: Moving) -> None:
    moving.be_at((OLD[0], 5000), now_s=1.1)
    assert moving.connection.scheme is moving.made[0]
    moving.be_at(NEW, now_s=1.2)
    assert moving.connection.scheme is moving.made[1]
    assert (moving.quic._loss.congestion_window, moving.connection.rtt) == (WINDOW_BYTES, None)
    assert moving.quic._loss._pacer.next_send_time(1.2) is None  # nothing is paced before the first RTT
    moving.send(10, now_s=1.2)
    assert not moving.connection.has_window_room


def test_who_moves_too_often_is_sent_away_and_makes_no_more_schemes(moving: Moving) -> None:
    for number in range(MOVES_BURST):
        moving.be_at((OLD, NEW)[(number + 1) % 2], now_s=2.0)
        assert is_open(moving)
    moving.be_at(NEW, now_s=2.0 + 1 / MOVES_PER_S)
    assert is_open(moving)
    moving.be_at(OLD, now_s=2.0 + 1 / MOVES_PER_S)
    assert not is_open(moving)
    assert len(moving.made) == 1 + MOVES_BURST + 1


def is_open(moving: Moving) -> bool:
    return moving.quic._close_event is None


def test_a_port_that_changes_all_the_time_is_no_move(moving: Moving) -> None:
    for number in range(100):
        moving.be_at((OLD[0], 5000 + number), now_s=2.0)
    assert is_open(moving)
    assert len(moving.made) == 1


def test_the_stamps_go_on_and_begin_an_epoch(moving: Moving) -> None:
    before = moving.stamp(now_s=1.1)
    moving.be_at(NEW, now_s=1.2)
    after = moving.stamp(now_s=1.2)
    assert (after.sequence, after.epoch) == (before.sequence + 1, before.epoch + 1)
    assert (after.packets_sent, after.cwnd_bytes) == (4, WINDOW_BYTES)


def test_feedback_of_the_old_path_is_ignored_however_late_it_comes(moving: Moving) -> None:
    old = moving.stamp(now_s=1.1)
    moving.be_at(NEW, now_s=1.2)
    new = moving.stamp(now_s=1.2)
    for window_packets in (2, 3, 4):
        moving.ask(window_packets * PACKET_BYTES, epoch=old.epoch, now_s=1.2)
        assert moving.quic._loss.congestion_window == WINDOW_BYTES
    assert sum(moving.made[1].guard.counts.values()) == 0
    moving.ask(5 * PACKET_BYTES, epoch=new.epoch, now_s=1.2)
    assert moving.quic._loss.congestion_window == 5 * PACKET_BYTES


def test_packets_of_the_old_path_tell_the_new_one_neither_window_nor_round_trip(moving: Moving) -> None:
    old = moving.send(6, now_s=1.1)
    moving.be_at(NEW, now_s=1.2)
    assert moving.quic._loss.bytes_in_flight == 6 * PACKET_BYTES
    moving.ack(old, now_s=1.3)
    assert (moving.quic._loss.congestion_window, moving.connection.rtt) == (WINDOW_BYTES, None)
    assert moving.quic._loss.bytes_in_flight == 0
    moving.ack(moving.send(4, now_s=2.0), now_s=2.02)
    assert moving.connection.rtt is not None
    assert moving.connection.rtt.min_s == pytest.approx(0.02)
    assert moving.connection.scheme.cwnd_bytes == WINDOW_BYTES + 4 * PACKET_BYTES


class MovingLink(asyncio.DatagramProtocol):
    """Relays datagrams between a client and a server, to which it shows the one or the other address of its own."""

    def __init__(self, server_port: int) -> None:
        self.server = ("127.0.0.1", server_port)
        self.client: tuple[str, int] | None = None
        self.most_bytes = MOST_BYTES
        """What passes on the way to the client."""
        self.front: asyncio.DatagramTransport | None = None
        self.back: asyncio.DatagramTransport | None = None

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        assert self.front is not None
        assert self.back is not None
        if len(data) > self.most_bytes:
            return
        if addr == self.server:
            self.front.sendto(data, self.client)
        else:
            self.client = addr
            self.back.sendto(data, self.server)


@asynccontextmanager
async def moving_link(server_port: int) -> AsyncIterator[tuple[MovingLink, asyncio.DatagramTransport, str]]:
    """The link, its other way to the server, and the server's address through it."""
    loop = asyncio.get_running_loop()
    link = MovingLink(server_port)
    ways: list[asyncio.DatagramTransport] = []
    try:
        for host in ("127.0.0.1", "127.0.0.1", "127.0.0.2"):
            ways.append((await loop.create_datagram_endpoint(lambda: link, local_addr=(host, 0)))[0])
    except OSError as error:  # macOS has one address on loopback
        pytest.skip(f"no second address: {error}")
    link.front, link.back, other = ways
    try:
        yield link, other, f"https://127.0.0.1:{link.front.get_extra_info('sockname')[1]}"
    finally:
        for way in ways:
            way.close()


async def download_and_move(
    client: ClientProtocol, protocol: BatchedProtocol, link: MovingLink, other: asyncio.DatagramTransport
) -> list[SenderScheme]:
    """Three megabytes, of which the last two come to another address; the schemes that sent them."""
    schemes: list[SenderScheme] = []
    received_bytes = 0

    def on_data(data: bytes) -> None:
        nonlocal received_bytes
        received_bytes += len(data)
        if not schemes or protocol.connection.scheme is not schemes[-1]:
            schemes.append(protocol.connection.scheme)
        if received_bytes > 1_000_000:
            link.back = other

    head = await client.download("generated/3000000", on_data=on_data)
    assert (head["status"], received_bytes) == (200, 3_000_000)
    return schemes


def test_a_session_goes_on_from_another_address(film: Path) -> None:
    async def whole() -> None:
        server = await start_server(options_for(film))
        receiver = Nuwa(preset("on-demand").parameters)
        async with (
            moving_link(server.port) as (link, other, url),
            open_session(f"{url}/v1/nuwa", origin=ORIGIN, receiver=receiver) as client,
        ):
            (protocol,) = server._server.connections
            epochs: list[int] = []
            client.stamp_observer = lambda stamp, now_s: epochs.append(stamp.epoch)
            assert len(await download_and_move(client, protocol, link, other)) == 2
            assert protocol.connection.path.peer_host == "127.0.0.2"
            assert epochs[-1] == max(epochs) > epochs[0]  # where the ways meet, stamps overtake each other
        await server.stop()

    run(whole())


def test_a_sessions_policy_answers_the_scheme_of_each_path(film: Path) -> None:
    told: list[PolicyReport] = []

    async def whole() -> None:
        server = await start_server(options_for(film))
        server._service.policies = ShelfOfSilence()
        server._service.policies.is_settled = lambda name: True  # type: ignore[method-assign]
        server.tell_of_policies(told.append)
        async with (
            moving_link(server.port) as (link, other, url),
            open_session(f"{url}/v1/zixia", origin=ORIGIN, receiver=Observer()) as client,
        ):
            (protocol,) = server._server.connections
            schemes = await download_and_move(client, protocol, link, other)
        await server.stop()  # no decision is asked for any more
        failed = [int(made.log_fields()["decisions_failed"] or 0) for made in schemes]
        assert len(failed) == 2
        assert min(failed) > 0
        assert (told[0].scheme, told[0].failed) == (scheme("zixia").name, sum(failed))

    run(whole())


def test_a_path_that_is_left_leaves_its_record_for_the_address_that_it_led_to(film: Path) -> None:
    async def whole() -> None:
        server = await start_server(options_for(film))
        async with (
            moving_link(server.port) as (link, other, url),
            open_session(f"{url}/v1/stateful-bbr", origin=ORIGIN, receiver=Observer()) as client,
        ):
            (protocol,) = server._server.connections
            await download_and_move(client, protocol, link, other)
            records = server._service.records
            assert records.find("127.0.0.1") is not None
            assert records.find("127.0.0.2") is None
        await server.stop()  # ends the session
        assert records.find("127.0.0.2") is not None

    run(whole())


def test_a_liar_that_has_moved_is_watched_at_both_addresses(film: Path) -> None:
    async def whole() -> None:
        server = await start_server(options_for(film))
        watch_list = server._service.watch_list
        async with (
            moving_link(server.port) as (link, other, url),
            open_session(f"{url}/v1/newreno", origin=ORIGIN, receiver=Observer()) as client,
        ):
            (protocol,) = server._server.connections
            await download_and_move(client, protocol, link, other)
            assert not watch_list.is_watched("127.0.0.1")
            acknowledge_all(client._quic)
            with pytest.raises(SessionClosedError, match="was never sent"):
                await client.download("generated/100000000", on_data=lambda data: None)
            assert watch_list.is_watched("127.0.0.1")
            assert watch_list.is_watched("127.0.0.2")
        await server.stop()

    run(whole())


def test_a_session_that_moves_to_a_watched_address_goes_on_under_watch(film: Path) -> None:
    async def whole() -> None:
        server = await start_server(options_for(film))
        server._service.watch_list.on_forged("127.0.0.2", 4000)
        async with (
            moving_link(server.port) as (link, other, url),
            open_session(f"{url}/v1/newreno", origin=ORIGIN, receiver=Observer()) as client,
        ):
            (protocol,) = server._server.connections
            withheld, most_packets = protocol.connection.guard.withheld, []
            client.stamp_observer = lambda stamp, now_s: most_packets.append(withheld.window_limit_packets)
            await download_and_move(client, protocol, link, other)
            assert most_packets[0] is None
            assert any(each is not None for each in most_packets)
            assert most_packets[-1] is None  # it has shown that it tells the truth
        await server.stop()

    run(whole())
