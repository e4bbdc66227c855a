"""Flights leave whole and in order, in one system call or one by one."""

from __future__ import annotations

import asyncio
import errno
import socket

import pytest

from transport.media_server.batched_server import BatchedServer
from transport.media_server.endpoint import LONGEST_TURN_S, SHORTEST_TURN_S, UdpEndpoint
from transport.udp.fragments import (
    CAN_FORBID_FRAGMENTS,
    IP_MTU_DISCOVER,
    IP_PMTUDISC_PROBE,
    IPV6_MTU_DISCOVER,
    IPV6_PMTUDISC_PROBE,
)
from transport.udp.socket import bind

SIZES = [1200, 1200, 1200, 500, 1200, 1200, 700, 900]


class RefusingSocket:
    """A socket of a system that refuses segmentation."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self.single_sends = 0

    def sendmsg(self, *arguments: object) -> int:
        """Never."""
        raise OSError(errno.EIO, "no segmentation here")

    def sendto(self, data: bytes, addr: tuple[str, int]) -> int:
        """Counted."""
        self.single_sends += 1
        return self._socket.sendto(data, addr)


def received_after(send_sizes: list[int], *, refuse: bool) -> tuple[list[bytes], int]:
    """What arrives of datagrams of these sizes, and how many were sent one by one."""

    async def scenario() -> tuple[list[bytes], int]:
        peer = bind("127.0.0.1", 0)
        sock = bind("127.0.0.1", 0)
        endpoint = UdpEndpoint(sock, object.__new__(BatchedServer))
        refusing = RefusingSocket(sock)
        if refuse:
            endpoint._socket = refusing  # type: ignore[assignment]
        datagrams = [(bytes([index]) * size, peer.getsockname()) for index, size in enumerate(send_sizes)]
        endpoint.send_flight(datagrams)
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(5):
            received = [await loop.sock_recv(peer, 65_535) for _ in datagrams]
        endpoint._socket = sock
        endpoint.close()
        peer.close()
        return received, refusing.single_sends

    return asyncio.run(scenario())


@pytest.mark.parametrize("refuse", [False, True])
def test_a_flight_arrives_whole_and_in_order(refuse: bool) -> None:
    received, single_sends = received_after(SIZES, refuse=refuse)
    assert [(len(data), set(data)) for data in received] == [(size, {n}) for n, size in enumerate(SIZES)]
    assert single_sends == (len(SIZES) if refuse else 0)


def test_a_long_flight_is_cut_into_batches_that_the_system_takes() -> None:
    received, _ = received_after([1200] * 150, refuse=False)
    assert [data[0] for data in received] == list(range(150))


def test_a_full_or_refused_send_loses_the_datagram_and_nothing_else() -> None:
    async def scenario() -> int:
        sock = bind("127.0.0.1", 0)
        endpoint = UdpEndpoint(sock, object.__new__(BatchedServer))
        endpoint.sendto(b"x" * 70_000, ("127.0.0.1", 9))
        endpoint.sendto(b"x", ("127.0.0.1", sock.getsockname()[1]))
        endpoint.close()
        endpoint.close()
        return endpoint.dropped_datagrams

    assert asyncio.run(scenario()) == 1


class Slow:
    """A server to which each datagram costs a millisecond of a clock of its own."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.datagrams = 0

    def time(self) -> float:
        return self.now_s

    def datagram_arrived(self, data: bytes, addr: object, *, arrived_s: float) -> None:
        self.datagrams += 1
        self.now_s += 0.001

    def finish_batch(self) -> None:
        """Nothing is answered."""


@pytest.mark.parametrize(("elsewhere_s", "turn_s"), [(0.0, SHORTEST_TURN_S), (0.05, 0.05), (3600.0, LONGEST_TURN_S)])
def test_reading_takes_as_long_as_all_else_has_taken_within_bounds(elsewhere_s: float, turn_s: float) -> None:
    async def scenario() -> int:
        slow, sock, peer = Slow(), bind("127.0.0.1", 0), bind("127.0.0.1", 0)
        endpoint = UdpEndpoint(sock, slow)
        loop, endpoint._loop = endpoint._loop, slow  # type: ignore[assignment]
        for _ in range(300):
            peer.sendto(b"x", sock.getsockname())
        endpoint._read_until_s = slow.now_s - elsewhere_s
        endpoint._drain()
        endpoint._loop = loop
        endpoint.close()
        peer.close()
        return slow.datagrams

    assert abs(asyncio.run(scenario()) - 1000 * turn_s) <= 1


@pytest.mark.skipif(not CAN_FORBID_FRAGMENTS, reason="the system is not known to forbid it")
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_no_router_may_cut_what_an_endpoint_sends(host: str) -> None:
    async def scenario() -> None:
        try:
            sock = bind(host, 0)
        except OSError as error:
            pytest.skip(f"no such family: {error}")
        endpoint = UdpEndpoint(sock, object.__new__(BatchedServer))
        try:
            assert sock.getsockopt(socket.IPPROTO_IP, IP_MTU_DISCOVER) == IP_PMTUDISC_PROBE
            if sock.family == socket.AF_INET6:
                assert sock.getsockopt(socket.IPPROTO_IPV6, IPV6_MTU_DISCOVER) == IPV6_PMTUDISC_PROBE
        finally:
            endpoint.close()

    asyncio.run(scenario())
