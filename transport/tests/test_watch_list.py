"""Who forged is shut out and watched, and its neighbours are not shut out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.tls import Epoch

from cc.receiver.observer import Observer
from transport.headless.client import ClientProtocol, SessionClosedError, open_session
from transport.media_server import watch_list
from transport.media_server.server import start_server
from transport.media_server.watch_list import (
    FORGER_S,
    SESSIONS_BURST,
    SESSIONS_PER_S,
    UNPROVEN_PACKETS,
    UNPROVEN_S,
    Standing,
    WatchList,
)
from transport.tests.serving import ORIGIN, SEGMENT, options_for, run
from transport.tests.test_path_records import Clock

HOST, NEIGHBOUR_PORT = "192.0.2.1", 6000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watched(clock: Clock) -> WatchList:
    """One client of `HOST` has forged."""
    watching = WatchList(clock)
    watching.on_forged(HOST, 5000)
    return watching


def test_who_forged_gets_no_session_for_ten_minutes(watched: WatchList, clock: Clock) -> None:
    clock.now_s += FORGER_S - 1
    assert watched.judge(HOST, 5000) is Standing.REFUSED
    clock.now_s += 1
    assert watched.judge(HOST, 5000) is Standing.BELIEVED


def test_neighbours_are_let_in_under_watch_and_others_as_ever(watched: WatchList, clock: Clock) -> None:
    assert watched.judge(HOST, NEIGHBOUR_PORT) is Standing.WATCHED
    assert watched.judge("192.0.2.2", 5000) is Standing.BELIEVED
    clock.now_s += FORGER_S
    assert watched.judge(HOST, NEIGHBOUR_PORT) is Standing.BELIEVED


def test_a_network_of_ipv6_is_watched_as_one(watched: WatchList) -> None:
    watched.on_forged("2001:db8:0:1::7", 5000)
    assert watched.judge("2001:db8:0:1:ffff::9", NEIGHBOUR_PORT) is Standing.WATCHED
    assert watched.judge("2001:db8:0:2::7", 5000) is Standing.BELIEVED


def test_a_household_of_ipv6_is_watched_once_two_of_its_networks_are(clock: Clock) -> None:
    watching = WatchList(clock)
    watching.on_forged("2001:db8:0:1::7", 5000)
    watching.on_forged("2001:db8:0:1::8", 5000)
    assert watching.judge("2001:db8:0:3::7", 5000) is Standing.BELIEVED
    watching.on_session_ended("2001:db8:0:2::7", packets_sent=1000, survived=0)
    assert watching.is_watched("2001:db8:0:3::7")
    assert not watching.is_watched("2001:db8:0:103::7")
    standings = [watching.judge(f"2001:db8:0:{number:x}::7", 5000) for number in range(3, 100)]
    assert standings.count(Standing.WATCHED) == 2 * SESSIONS_BURST
    assert standings.count(Standing.REFUSED) == len(standings) - 2 * SESSIONS_BURST
    clock.now_s += UNPROVEN_S
    assert watching.judge("2001:db8:0:3::7", 5000) is Standing.BELIEVED


def test_two_networks_of_a_household_that_forged_at_other_times_leave_it_alone(clock: Clock) -> None:
    watching = WatchList(clock)
    for number in range(3):
        watching.on_forged(f"2001:db8:0:{number}::7", 5000)
        clock.now_s += FORGER_S
    assert not watching.is_watched("2001:db8:0:9::7")


def test_asking_whether_an_address_is_watched_counts_no_session(watched: WatchList) -> None:
    for _ in range(2 * SESSIONS_BURST):
        assert watched.is_watched(HOST)
        assert not watched.is_watched("192.0.2.2")
    assert watched.judge(HOST, NEIGHBOUR_PORT) is Standing.WATCHED


def test_a_watched_address_gets_only_so_many_sessions(watched: WatchList, clock: Clock) -> None:
    standings = [watched.judge(HOST, NEIGHBOUR_PORT) for _ in range(SESSIONS_BURST + 1)]
    assert standings == [Standing.WATCHED] * SESSIONS_BURST + [Standing.REFUSED]
    clock.now_s += 1 / SESSIONS_PER_S
    assert watched.judge(HOST, NEIGHBOUR_PORT) is Standing.WATCHED


@pytest.mark.parametrize(
    ("packets_sent", "survived", "standing"),
    [
        (UNPROVEN_PACKETS + 1, 0, Standing.WATCHED),
        (UNPROVEN_PACKETS, 0, Standing.BELIEVED),
        (100_000, 1, Standing.BELIEVED),
    ],
)
def test_who_left_before_it_showed_anything_is_watched_for_a_while(
    clock: Clock, packets_sent: int, survived: int, standing: Standing
) -> None:
    watching = WatchList(clock)
    watching.on_session_ended(HOST, packets_sent=packets_sent, survived=survived)
    assert watching.judge(HOST, NEIGHBOUR_PORT) is standing
    clock.now_s += UNPROVEN_S
    assert watching.judge(HOST, NEIGHBOUR_PORT) is Standing.BELIEVED


def test_leaving_early_does_not_shorten_a_forgers_watch(watched: WatchList, clock: Clock) -> None:
    watched.on_session_ended(HOST, packets_sent=1000, survived=0)
    clock.now_s += FORGER_S - 1
    assert watched.judge(HOST, NEIGHBOUR_PORT) is Standing.WATCHED


def test_only_so_many_are_kept_and_the_oldest_go_first(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_list, "MOST_KEPT", 100)
    watching = WatchList(clock)
    for number in range(101):
        watching.on_forged(f"192.0.2.{number}", 5000)
    assert len(watching) == 200
    assert watching.judge("192.0.2.0", 5000) is Standing.BELIEVED
    assert watching.judge("192.0.2.1", 5000) is Standing.REFUSED


def acknowledge_all(quic: QuicConnection) -> None:
    """Hide losses, and withheld packets with them."""
    write = quic._write_ack_frame

    def lie(builder: QuicPacketBuilder, space: QuicPacketSpace, now: float) -> None:
        if space is quic._spaces[Epoch.ONE_RTT]:
            space.ack_queue = RangeSet([range(space.ack_queue.bounds().stop)])
        write(builder=builder, space=space, now=now)

    quic._write_ack_frame = lie  # type: ignore[method-assign]


async def download(client: ClientProtocol) -> int:
    """Bytes of the segment that arrive."""
    received = bytearray()
    await client.download("seg.m4s", on_data=received.extend)
    return len(received)


def test_a_liar_is_ended_its_neighbours_go_on_and_newcomers_are_watched(film: Path) -> None:
    async def scenario() -> None:
        server = await start_server(options_for(film))
        url = f"https://127.0.0.1:{server.port}/v1/newreno"
        try:
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as neighbour:
                assert await download(neighbour) == len(SEGMENT)
                async with open_session(url, origin=ORIGIN, receiver=Observer()) as liar:
                    acknowledge_all(liar._quic)
                    with pytest.raises(SessionClosedError, match="was never sent"):
                        await liar.download("generated/100000000", on_data=lambda data: None)
                assert await download(neighbour) == len(SEGMENT)
                async with open_session(url, origin=ORIGIN, receiver=Observer()) as newcomer:
                    limits = [each._connection.guard.withheld.window_limit_packets for each in server._service.sessions]
                    assert sum(limit is not None for limit in limits) == 1, "the newcomer's"
                    assert await download(newcomer) == len(SEGMENT)
                    assert await download(newcomer) == len(SEGMENT)
        finally:
            await server.stop()

    run(scenario())


def test_a_limit_for_each_session_is_kept(film: Path) -> None:
    async def scenario() -> None:
        options = options_for(film, session_rate_mbit=4.0)
        server = await start_server(options)
        url = f"https://127.0.0.1:{server.port}/v1/newreno"
        loop = asyncio.get_running_loop()
        try:
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as client:
                await download(client)
                began_s = loop.time()
                sizes_bytes = [await download(client) for _ in range(3)]
                assert sum(sizes_bytes) * 8e-6 / (loop.time() - began_s) < 4.5
        finally:
            await server.stop()

    run(scenario())
