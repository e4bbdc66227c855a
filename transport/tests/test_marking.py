"""Code points on real sockets, of both families."""

from __future__ import annotations

import socket

import pytest

from transport.udp.ancillary import receive
from transport.udp.marking import CAN_MARK, CodePoint, ask_for_marks, code_point_of, send_marked

LIMIT_S = 5.0

pytestmark = pytest.mark.skipif(not CAN_MARK, reason="only on Linux datagrams are marked one by one")


def bound(family: int, host: str) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_DGRAM)
    sock.settimeout(LIMIT_S)
    sock.bind((host, 0))
    return sock


def received_marked(sock: socket.socket) -> tuple[bytes, CodePoint]:
    data, _, ancillary = receive(sock, 100)
    return data, code_point_of(ancillary)


@pytest.mark.parametrize(
    ("sender", "receiver", "to"),
    [
        ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET, "127.0.0.1"), "127.0.0.1"),
        ((socket.AF_INET6, "::1"), (socket.AF_INET6, "::1"), "::1"),
        ((socket.AF_INET6, "::"), (socket.AF_INET, "127.0.0.1"), "::ffff:127.0.0.1"),
        ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::"), "127.0.0.1"),
    ],
)
def test_each_datagram_arrives_with_its_code_point(sender: tuple[int, str], receiver: tuple[int, str], to: str) -> None:
    with bound(*sender) as source, bound(*receiver) as sink:
        ask_for_marks(sink)
        address = (to, sink.getsockname()[1])
        for code_point in (*CodePoint, CodePoint.ECT0):
            send_marked(source, bytes([code_point]), address, code_point)
        source.sendto(b"plain", address)
        received = [received_marked(sink) for _ in range(6)]
    assert received == [
        *((bytes([code_point]), code_point) for code_point in (*CodePoint, CodePoint.ECT0)),
        (b"plain", CodePoint.NOT_ECT),
    ]


def test_who_does_not_ask_is_not_told() -> None:
    with bound(socket.AF_INET, "127.0.0.1") as source, bound(socket.AF_INET, "127.0.0.1") as sink:
        send_marked(source, b"marked", sink.getsockname(), CodePoint.CE)
        assert received_marked(sink) == (b"marked", CodePoint.NOT_ECT)
