"""What the relay itself loses is counted, and told."""

from __future__ import annotations

import socket
import sys
import threading

import pytest

from transport.relay.pipe import Packet
from transport.relay.relay import clock_s
from transport.tests.running_relay import LIMIT_S, NONE, running


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_what_a_late_relay_misses_is_counted_also_of_sockets_that_it_has_closed() -> None:
    with running(NONE) as run:
        client = run.client()
        client.send(b"new")
        _, peer = run.server.recvfrom(2048)
        (lane,) = run.relay.lanes
        (known,) = lane.clients
        assert lane.datagrams_missed == 0
        is_late = threading.Event()

        def be_late() -> None:
            assert is_late.wait(LIMIT_S)

        run.relay.call(be_late)
        for sock in (lane._socket, known.socket):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(50):
            client.send(bytes(1200))
            run.server.sendto(bytes(1200), peer)
        is_late.set()
        run.command(command="state")
        missed = lane.datagrams_missed
        assert missed is not None
        assert 50 < missed < 100  # of both sockets
        host, port = run.server.getsockname()
        run.command(command="upstream", host=host, port=port)
        assert lane.datagrams_missed == missed


class FullSocket:
    """Of a system that takes no more."""

    def send(self, data: bytes) -> int:
        """As a socket does that would have to wait."""
        raise BlockingIOError

    def sendto(self, data: bytes, address: object) -> int:
        """The same."""
        raise BlockingIOError


def test_what_the_system_does_not_take_is_counted_beside_the_links_losses() -> None:
    with running(NONE) as run:
        client = run.client()
        client.send(b"new")
        run.server.recvfrom(2048)
    (lane,) = run.relay.lanes
    (known,) = lane.clients
    now_s = clock_s()
    known.socket = lane._socket = FullSocket()  # type: ignore[assignment]
    known.ways.up.offer(Packet(b"up", known), at_s=now_s)
    known.ways.down.offer(Packet(b"down", known), at_s=now_s)
    lane.forward(now_s)
    assert lane.datagrams_unsent == 2
