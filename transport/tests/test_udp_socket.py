"""What the system grants a socket, and what it drops before anybody reads it."""

from __future__ import annotations

import socket
import sys

import pytest

from transport.udp import socket as udp
from transport.udp.socket import bind, buffer_problem, receive_drops, udp_socket


def test_a_system_that_grants_less_is_told_of_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with udp_socket(socket.AF_INET) as sock:
        monkeypatch.setattr(udp, "SOCKET_BUFFER_BYTES", 4096)
        assert buffer_problem(sock) is None
        monkeypatch.setattr(udp, "SOCKET_BUFFER_BYTES", 2**40)
        problem = buffer_problem(sock)
    assert problem is not None
    assert "KiB to receive" in problem
    assert ("net.core.rmem_max=" in problem) is (sys.platform == "linux")


@pytest.mark.parametrize(
    ("host", "told"), [("192.0.2.1", r"192\.0\.2\.1:4433"), ("2001:db8::1", r"\[2001:db8::1\]:4433")]
)
def test_an_address_that_cannot_be_had_is_told_with_its_port(host: str, told: str) -> None:
    with pytest.raises(OSError, match=f"cannot listen on UDP {told}: "):
        bind(host, 4433)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_what_a_full_socket_drops_is_counted(host: str) -> None:
    try:
        sock = bind(host, 0)
    except OSError:
        pytest.skip(f"{host} cannot be had here")
    with sock, udp_socket(sock.family) as sender:
        assert receive_drops(sock) == 0
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(50):
            sender.sendto(bytes(1200), sock.getsockname())
        dropped = receive_drops(sock)
    assert dropped is not None
    assert 0 < dropped < 50
