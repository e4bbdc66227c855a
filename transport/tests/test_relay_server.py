"""The server behind a relay changes; commands that cannot be done are refused."""

from __future__ import annotations

import pytest

from transport.tests.running_relay import NONE, running, udp_socket


def test_the_server_can_change() -> None:
    with running(NONE) as run:
        client = run.client()
        client.send(b"one")
        assert run.server.recvfrom(2048)[0] == b"one"
        other = run.track(udp_socket())
        host, port = other.getsockname()
        answer = run.command(command="upstream", host=host, port=port)
        assert answer == {"event": "upstream", "host": host, "port": port}
        client.send(b"two")
        data, peer = other.recvfrom(2048)
        assert data == b"two"
        other.sendto(b"three", peer)
        assert client.recv(2048) == b"three"


def test_a_server_that_cannot_be_reached_is_refused_and_the_former_stays() -> None:
    with running(NONE, lanes=2) as run:
        clients = [run.client(0), run.client(1)]
        peers = []
        for client in clients:
            client.send(b"one")
            peers.append(run.server.recvfrom(2048)[1])
        answer = run.command(command="upstream", host="255.255.255.255", port=9)  # connect: permission denied
        assert answer["event"] == "refused"
        assert "cannot reach the server 255.255.255.255:9" in answer["reason"]
        for client, peer in zip(clients, peers, strict=True):
            client.send(b"two")
            assert run.server.recvfrom(2048) == (b"two", peer)  # from the same socket as before
            run.server.sendto(b"three", peer)
            assert client.recv(2048) == b"three"
        newcomer = run.client()
        newcomer.send(b"new")
        assert run.server.recvfrom(2048)[0] == b"new"


def test_a_server_that_is_away_harms_nobody() -> None:
    with running(NONE) as run:
        client = run.client()
        gone = udp_socket()
        host, port = gone.getsockname()
        gone.close()
        run.command(command="upstream", host=host, port=port)
        for _ in range(5):
            client.send(b"anybody?")
            run.command(command="state")
        home, home_port = run.server.getsockname()
        run.command(command="upstream", host=home, port=home_port)
        client.send(b"back")
        while run.server.recvfrom(2048)[0] != b"back":
            pass  # what the relay had not read before the server was back


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"nonsense", "command b'nonsense' is not JSON"),
        (b"[]", "command b'[]' is not a JSON object"),
        (b'{"command": "stop"}', "command 'stop' is unknown; known commands: link, upstream, state"),
        (b'{"command": "link"}', "link None is not an object"),
        (b'{"command": "link", "link": {"name": "lte"}}', "link 'lte' is neither a rate"),
        (b'{"command": "link", "link": {"name": "steps", "delay_ms": 1e9}}', "delay_ms 1000000000.0 is not"),
        (b'{"command": "link", "link": {"name": "steps", "discipline": "red"}}', "discipline 'red' is not one of"),
        (b'{"command": "upstream", "host": "127.0.0.1", "port": 0}', "upstream's port 0 is not"),
        (b'{"command": "upstream", "host": "", "port": 1}', "upstream's host '' is not"),
    ],
)
def test_a_command_that_cannot_be_done_is_refused_and_changes_nothing(line: bytes, reason: str) -> None:
    with running(NONE) as run:
        answer = run.control.answer(line)
        assert answer["event"] == "refused"
        assert reason in str(answer["reason"])
        assert run.command(command="state")["link"]["name"] == "none"
        client = run.client()
        client.send(b"still here")
        assert run.server.recvfrom(2048)[0] == b"still here"
