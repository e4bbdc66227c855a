"""Who has a place in a lane, and how much of each may wait."""

from __future__ import annotations

import errno
import math
import socket
import sys

import pytest

from transport.relay.lane import Upstream
from transport.relay.room import PACKET_BYTES, STRANGER_BYTES
from transport.relay.settings import LinkSettings
from transport.tests.running_relay import NONE, OF_A_CONNECTION, connected, running

HELD_OF_A_STRANGER = STRANGER_BYTES // (1200 + PACKET_BYTES)
"""Full datagrams."""


@pytest.mark.parametrize(("answer", "held"), [(b"\xc0" * 1200, HELD_OF_A_STRANGER), (OF_A_CONNECTION, 100)])
def test_with_a_link_alone_who_has_no_connection_may_let_little_wait(answer: bytes, held: int) -> None:
    with running(NONE, is_for_each=True) as run:
        client = connected(run, answer=answer)
        run.command(command="link", link={"name": "1kbit"})
        for _ in range(100):
            client.send(bytes(1200))
        (ways,) = run.relay.lanes[0].all_ways()
        run.wait_until(lambda: ways.up.share.packets + ways.up.packets_without_room == 100)
        assert ways.up.share.packets == held
        assert run.relay.lanes[0].datagrams_turned_away == 100 - held


def test_a_client_that_goes_leaves_its_room() -> None:
    with running(LinkSettings("1kbit", delay_ms=0), is_for_each=True) as run:
        client = run.client()
        for _ in range(50):
            client.send(bytes(1200))
        run.wait_until(lambda: run.relay.lanes[0].datagrams_turned_away == 50 - HELD_OF_A_STRANGER)
    before_bytes = run.relay.room.free_bytes
    run.relay.lanes[0].forget_idle(math.inf)
    assert run.relay.room.free_bytes - before_bytes == HELD_OF_A_STRANGER * (1200 + PACKET_BYTES)
    assert run.relay.lanes[0].datagrams_turned_away == 50 - HELD_OF_A_STRANGER


def test_clients_of_one_address_that_are_connected_keep_half_of_a_lane() -> None:
    with running(NONE, lanes=16) as run:  # each lane has room for 16
        clients = [connected(run) for _ in range(8)]
        run.client().send(b"too many")
        for client in clients:
            client.send(b"here still")
            assert run.server.recvfrom(2048)[0] == b"here still"
        assert run.relay.lanes[0].datagrams_refused == 1


@pytest.mark.parametrize("answer", [None, b"\xc0" * 1200, b"\x40" * 42])
def test_who_has_no_connection_leaves_for_others_and_nobody_else_does(answer: bytes | None) -> None:
    with running(NONE, lanes=16) as run:
        viewer = connected(run)
        for _ in range(40):
            if answer is None:
                run.client().send(b"x")
                assert run.server.recvfrom(2048)[0] == b"x"
            else:
                connected(run, answer=answer)
        late = connected(run)
        for client in (viewer, late):
            client.send(b"here still")
            assert run.server.recvfrom(2048)[0] == b"here still"
        assert run.relay.lanes[0].datagrams_refused == 0
        assert len(run.relay.lanes[0].clients) == 8


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux all of 127.0.0.0/8 is this machine")
def test_an_address_that_has_its_share_leaves_the_rest_to_others() -> None:
    with running(NONE, lanes=16) as run:
        for _ in range(12):
            run.client().send(b"x")
            run.server.recvfrom(2048)
        others = [run.client(host="127.0.0.2") for _ in range(8)]
        for other in others:
            other.send(b"other")
        for _ in others:
            assert run.server.recvfrom(2048)[0] == b"other"
        hosts = [client.address[0] for client in run.relay.lanes[0].clients]
        assert (hosts.count("127.0.0.1"), hosts.count("127.0.0.2")) == (8, 8)


def test_a_client_that_was_not_answered_for_long_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transport.relay.lane.EVICTION_IDLE_S", 0.0)
    with running(NONE, lanes=16) as run:
        for _ in range(20):
            connected(run)
        assert run.relay.lanes[0].datagrams_refused == 0


def test_a_newcomer_for_whom_the_system_has_no_socket_takes_nobodys_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_is_left(upstream: Upstream) -> socket.socket:
        raise OSError(errno.ENOBUFS, f"none to {upstream.address}")

    with running(NONE, lanes=16) as run:
        clients = [run.client() for _ in range(8)]
        for client in clients:
            client.send(b"x")
            assert run.server.recvfrom(2048)[0] == b"x"
        monkeypatch.setattr("transport.relay.lane.connected", none_is_left)
        run.client().send(b"one more")
        run.wait_until(lambda: run.relay.lanes[0].datagrams_refused == 1)
        for client in clients:
            client.send(b"here still")
            assert run.server.recvfrom(2048)[0] == b"here still"
