"""The relay between real sockets on loopback, and as a process that is spoken to in JSON lines."""

from __future__ import annotations

import contextlib
import io
import json
import math
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cc.links.catalogue import LinkCatalogue
from transport.relay.control import Control
from transport.relay.lane import Client, resolve
from transport.relay.pipe import LinkPipe, Packet
from transport.relay.relay import Relay, RelayOptions, clock_s
from transport.relay.room import PACKET_BYTES, STRANGER_BYTES
from transport.relay.settings import LinkSettings, prepare_link
from transport.udp.ancillary import receive
from transport.udp.marking import CAN_MARK, CodePoint, ask_for_marks, code_point_of

LIMIT_S = 10.0
ROOT = Path(__file__).parents[2]
CATALOGUE = LinkCatalogue([])


def udp_socket(peer: tuple[str, int] | None = None, host: str | None = None) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.settimeout(LIMIT_S)
    if peer is None or host is not None:
        sock.bind((host or "127.0.0.1", 0))
    if peer is not None:
        sock.connect(peer)
    return sock


class Running:
    """A relay in a thread, the server behind it, and clients in front."""

    def __init__(
        self,
        settings: LinkSettings,
        *,
        lanes: int,
        logs: list[Path],
        seed: int,
        is_mahimahi_like: bool,
        is_for_each: bool,
    ) -> None:
        self.server = udp_socket()
        self._sockets = [self.server]
        upstream = resolve(*self.server.getsockname())
        options = RelayOptions(upstream, "127.0.0.1", [0] * lanes, logs, seed, is_mahimahi_like, is_for_each)
        self.relay = Relay(options, prepare_link(settings, CATALOGUE))
        self.control = Control(self.relay, CATALOGUE, io.StringIO())
        self._thread = threading.Thread(target=self.relay.run)
        self._thread.start()

    def client(self, lane: int = 0, host: str | None = None) -> socket.socket:
        """A socket that speaks to the lane, of this machine's address where that matters."""
        return self.track(udp_socket(self.relay.lanes[lane].address, host))

    def track(self, sock: socket.socket) -> socket.socket:
        """Closed with the rest."""
        self._sockets.append(sock)
        return sock

    def command(self, **command: object) -> dict[str, Any]:
        """What the relay answers."""
        return self.control.answer(json.dumps(command).encode())

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Ask after each turn of the relay's."""
        deadline_s = time.monotonic() + LIMIT_S
        while not is_so():
            assert time.monotonic() < deadline_s
            self.command(command="state")

    def stop(self) -> None:
        self.relay.stop()
        self._thread.join(LIMIT_S)
        assert not self._thread.is_alive()
        self.relay.close()
        for sock in self._sockets:
            sock.close()


def has_served(pipe: LinkPipe[Client], packets: int) -> bool:
    return pipe.packets_lost + pipe.packets_carried == packets


@contextlib.contextmanager
def running(
    settings: LinkSettings,
    *,
    lanes: int = 1,
    logs: list[Path] | None = None,
    seed: int = 1,
    is_mahimahi_like: bool = False,
    is_for_each: bool = False,
) -> Iterator[Running]:
    run = Running(
        settings,
        lanes=lanes,
        logs=logs or [],
        seed=seed,
        is_mahimahi_like=is_mahimahi_like,
        is_for_each=is_for_each,
    )
    try:
        yield run
    finally:
        run.stop()


NONE = LinkSettings("none", delay_ms=0)


def test_forwards_both_ways_and_shows_the_server_each_client_apart() -> None:
    with running(NONE) as run:
        clients = [run.client(), run.client()]
        peers = []
        for number, client in enumerate(clients):
            client.send(b"hello %d" % number)
            data, peer = run.server.recvfrom(2048)
            assert data == b"hello %d" % number
            peers.append(peer)
        assert peers[0] != peers[1]
        for number, peer in reversed(list(enumerate(peers))):
            run.server.sendto(b"welcome %d" % number, peer)
        assert [client.recv(2048) for client in clients] == [b"welcome 0", b"welcome 1"]


@pytest.mark.parametrize("link", ["24mbit", "none"])
@pytest.mark.parametrize("is_mahimahi_like", [False, True])
def test_delays_each_way(link: str, *, is_mahimahi_like: bool) -> None:
    shortest_s = 0.029 if is_mahimahi_like else 0.030  # mahimahi counts whole milliseconds from when a packet came
    with running(LinkSettings(link, delay_ms=30), is_mahimahi_like=is_mahimahi_like) as run:
        client = run.client()
        for _ in range(3):
            began_s = time.perf_counter()
            client.send(b"ping")
            data, peer = run.server.recvfrom(2048)
            up_s = time.perf_counter() - began_s
            run.server.sendto(data, peer)
            client.recv(2048)
            both_s = time.perf_counter() - began_s
            assert shortest_s <= up_s < 0.5
            assert 2 * shortest_s <= both_s < 1.0


def test_drops_what_a_full_queue_does_not_take_and_the_log_says_so(tmp_path: Path) -> None:
    log = tmp_path / "log"
    # 1504 bytes take 1.5 s: of 30 that come at once, 10 find room
    with running(LinkSettings("8kbit", delay_ms=0, queue_packets=10), logs=[log]) as run:
        client = run.client()
        client.send(b"?")
        _, peer = run.server.recvfrom(2048)
        for number in range(30):
            run.server.sendto(bytes([number]) * 1472, peer)
        run.wait_until(lambda: run.relay.lanes[0].ways.down.packets_dropped == 20)
        run.command(command="link", link={"name": "24mbit"})
        received = [client.recv(2048)[0] for _ in range(10)]
    assert received == list(range(10))
    kinds = [line.split()[1] for line in log.read_text("ascii").splitlines() if not line.startswith("#")]
    assert [kinds.count(kind) for kind in "+-d"] == [30, 10, 20]


def test_codel_drops_from_the_head_and_the_log_says_so(tmp_path: Path) -> None:
    log = tmp_path / "log"
    # a packet every 10 ms at 1.2 Mbit/s: of 40 that come at once the last has waited 400 ms
    with running(LinkSettings("1.2mbit", delay_ms=0, discipline="codel"), logs=[log]) as run:
        client = run.client()
        client.send(b"?")
        _, peer = run.server.recvfrom(2048)
        for number in range(40):
            run.server.sendto(bytes([number]) * 1472, peer)
        down = run.relay.lanes[0].ways.down
        run.wait_until(lambda: down.packets_carried + down.packets_dropped == 40)
        received = [client.recv(2048)[0] for _ in range(down.packets_carried)]
        assert down.packets_dropped > 1
    assert received == sorted(set(received))
    assert received[0] == 0
    assert received[-1] == 39  # RFC 8289 section 5.3: nothing is dropped with less than a packet waiting
    lines = log.read_text("ascii").splitlines()
    assert lines[1] == "# queue: codel []"
    kinds = [line.split()[1] for line in lines if not line.startswith("#")]
    assert [kinds.count(kind) for kind in "+-d"] == [40, len(received), 40 - len(received)]


@pytest.mark.skipif(not CAN_MARK, reason="only on Linux datagrams are marked one by one")
def test_abcs_router_marks_each_datagram_until_the_link_changes() -> None:
    with running(LinkSettings("12mbit", delay_ms=0, discipline="abc")) as run:
        client = run.client()
        ask_for_marks(client)
        client.send(b"?")
        _, peer = run.server.recvfrom(2048)
        for number in range(200):
            run.server.sendto(bytes([number]) * 1472, peer)
        marks = [code_point_of(receive(client, 2048)[2]) for _ in range(200)]
        # what waits is 200 ms, less where the machine is busy; at least half of what leaves a full link brakes
        assert set(marks) == {CodePoint.ECT0, CodePoint.ECT1}
        answer = run.command(command="link", link={"name": "24mbit", "discipline": "codel"})
        assert answer["link"]["discipline"] == "codel"
        run.server.sendto(b"plain", peer)
        data, _, ancillary = receive(client, 2048)
        assert (data, code_point_of(ancillary)) == (b"plain", CodePoint.NOT_ECT)


def test_where_datagrams_cannot_be_marked_abcs_router_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transport.relay.settings.CAN_MARK", False)
    with running(NONE) as run:
        answer = run.command(command="link", link={"name": "24mbit", "discipline": "abc"})
        assert answer == {
            "event": "refused",
            "reason": "discipline 'abc' needs a system that marks each datagram, which of all only Linux does here; "
            "take one of droptail, codel, pie",
        }
        assert run.command(command="link", link={"name": "24mbit", "discipline": "pie"})["event"] == "link"


def test_loses_behind_the_queue_what_the_seed_says() -> None:
    received = []
    for seed in (1, 1, 2):
        with running(LinkSettings("24mbit", delay_ms=0, loss_ratio=0.5), seed=seed) as run:
            client = run.client()
            client.send(b"?")
            _, peer = run.server.recvfrom(2048)
            for number in range(100):
                run.server.sendto(bytes([number]), peer)
            down = run.relay.lanes[0].ways.down
            run.wait_until(partial(has_served, down, 100))
            received.append([client.recv(2048)[0] for _ in range(down.packets_carried)])
    assert received[0] == received[1]
    assert received[0] != received[2]
    assert 20 < len(received[0]) < 80


def test_each_lane_loses_the_same_packets() -> None:
    received = []
    with running(LinkSettings("24mbit", delay_ms=0, loss_ratio=0.5), lanes=2) as run:
        for lane in range(2):
            client = run.client(lane)
            client.send(b"?")
            _, peer = run.server.recvfrom(2048)
            for number in range(100):
                run.server.sendto(bytes([number]), peer)
            down = run.relay.lanes[lane].ways.down
            run.wait_until(partial(has_served, down, 100))
            received.append([client.recv(2048)[0] for _ in range(down.packets_carried)])
    rng = random.Random("1 loss")  # as the simulation draws
    assert received[0] == received[1] == [number for number in range(100) if rng.random() >= 0.5]


def test_a_link_can_change_while_packets_wait() -> None:
    with running(LinkSettings("10kbit", delay_ms=0)) as run:
        client = run.client()
        client.send(b"?")
        _, peer = run.server.recvfrom(2048)
        for number in range(20):  # 1.2 s each
            run.server.sendto(bytes([number]) * 1472, peer)
        before_ms = int(time.time() * 1000)
        answer = run.command(command="link", link={"name": "steps", "delay_ms": 5, "queue_packets": 100})
        assert [client.recv(2048)[0] for _ in range(20)] == list(range(20))
        link = answer["link"]
        assert answer["event"] == "link"
        assert before_ms - 1 <= link["started_at_ms"] <= int(time.time() * 1000) + 1
        assert (link["name"], link["title"], link["delay_ms"]) == ("steps", "Steps", 5)
        assert (link["queue_packets"], link["queue_bytes"], link["loss_ratio"]) == (100, None, 0)
        assert (link["capacity"]["bin_ms"], link["capacity"]["period_ms"]) == (500, 60_000)
        assert run.command(command="state") == answer


def test_lanes_share_the_clock_but_not_the_queue() -> None:
    with running(LinkSettings("8kbit", delay_ms=0, queue_packets=5), lanes=2) as run:
        clients = [run.client(0), run.client(1)]
        peers = []
        for client in clients:
            client.send(b"?")
            peers.append(run.server.recvfrom(2048)[1])
        for number in range(20):
            run.server.sendto(bytes([number]) * 1472, peers[0])
        run.server.sendto(b"other", peers[1])
        lanes = run.relay.lanes
        run.wait_until(lambda: [lane.ways.down.packets_dropped for lane in lanes] == [15, 0])
        run.command(command="link", link={"name": "24mbit"})
        assert clients[1].recv(2048) == b"other"
        assert [clients[0].recv(2048)[0] for _ in range(5)] == list(range(5))
        assert lanes[0].address != lanes[1].address


def test_each_client_may_have_a_link_alone_that_changes_with_the_others() -> None:
    with running(LinkSettings("8kbit", delay_ms=0, queue_packets=5), is_for_each=True) as run:
        clients = [run.client(), run.client()]
        peers = []
        for client in clients:
            client.send(b"?")
            peers.append(run.server.recvfrom(2048)[1])
        for number in range(20):
            run.server.sendto(bytes([number]) * 1472, peers[0])
        run.server.sendto(b"other", peers[1])
        run.wait_until(lambda: [ways.down.packets_dropped for ways in run.relay.lanes[0].all_ways()] == [15, 0])
        run.command(command="link", link={"name": "24mbit"})
        assert clients[1].recv(2048) == b"other"
        assert [clients[0].recv(2048)[0] for _ in range(5)] == list(range(5))


OF_A_CONNECTION = bytes([0x40]) * 43
"""A short header, on more than a stateless reset has."""
HELD_OF_A_STRANGER = STRANGER_BYTES // (1200 + PACKET_BYTES)
"""Full datagrams."""


def connected(run: Running, *, answer: bytes = OF_A_CONNECTION) -> socket.socket:
    """A client that the server has answered."""
    client = run.client()
    client.send(b"new")
    _, address = run.server.recvfrom(2048)
    run.server.sendto(answer, address)
    assert client.recv(2048) == answer
    return client


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


def test_a_datagram_that_is_too_large_is_refused_but_the_next_passes() -> None:
    with running(LinkSettings("24mbit", delay_ms=0)) as run:
        client = run.client()
        client.send(bytes(1473))
        client.send(bytes(5000))
        client.send(bytes(1472))
        assert len(run.server.recvfrom(8192)[0]) == 1472


class Process:
    """`python -m transport relay`."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "transport", "relay", *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def say(self, line: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.read()


@contextlib.contextmanager
def process(*arguments: str) -> Iterator[Process]:
    child = Process(*arguments)
    try:
        yield child
    finally:
        child.process.communicate(timeout=LIMIT_S)  # closes stdin


def test_as_a_process_it_says_when_it_is_ready_obeys_and_ends_with_its_input(tmp_path: Path) -> None:
    server = udp_socket()
    upstream = f"127.0.0.1:{server.getsockname()[1]}"
    logs = [str(tmp_path / "0"), str(tmp_path / "1")]
    options = ["--link", "24mbit", "--delay", "1", "--queue", "300", "--port", "0", "--port", "0", "--log", *logs]
    with server, process("--upstream", upstream, *options, "--control") as child:
        ready = child.read()
        assert ready["event"] == "ready"
        assert ready["link"]["name"] == "24mbit"
        assert [lane["host"] for lane in ready["lanes"]] == ["127.0.0.1"] * 2
        with udp_socket(("127.0.0.1", ready["lanes"][1]["port"])) as client:
            client.send(b"hello")
            assert server.recvfrom(2048)[0] == b"hello"
        assert child.say('{"command":"link","link":{"name":"none"}}')["event"] == "link"
        assert child.say("{}")["event"] == "refused"
    assert child.process.returncode == 0
    for log in logs:
        lines = Path(log).read_text("ascii").splitlines()
        assert lines[2] == f"# init timestamp: {ready['link']['started_at_ms']}"
        assert sum(line.endswith("# 1504") for line in lines) > 5


def test_a_signal_ends_it_cleanly() -> None:
    with process("--upstream", "127.0.0.1:9") as child:
        assert child.read()["link"]["name"] == "none"
        child.process.terminate()
        assert child.process.wait(LIMIT_S) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--upstream", "nowhere"], "'nowhere' is not an address such as 127.0.0.1:4433"),
        (
            ["--upstream", "127.0.0.1:9", "--link", "lte"],
            "link 'lte' is neither a rate (24mbit), a file, nor one of none",
        ),
        (
            ["--upstream", "127.0.0.1:9", "--delay", "-1"],
            "argument --delay: '-1' is not a number from 0 to 1000 (milliseconds)",
        ),
        (["--upstream", "127.0.0.1:9", "--queue", "0"], "argument --queue: '0' is not a whole number from 1 to 20000"),
        (
            ["--upstream", "127.0.0.1:9", "--queue", "5"],
            "queue_packets 5: link none has no queue; name a link, or leave",
        ),
        (["--upstream", "127.0.0.1:9", "--discipline", "red"], "argument --discipline: invalid choice: 'red'"),
        (["--upstream", "127.0.0.1:9", "--loss", "nan"], "argument --loss: 'nan' is not a number from 0 to 0.5"),
        (["--upstream", "127.0.0.1:9", "--log", "a", "b"], "--log: 2 logs for 1 lanes; give one for each"),
        (
            ["--upstream", "127.0.0.1:9", "--for-each", "--log", "a"],
            "--for-each: a link for each client is neither logged",
        ),
        (["--upstream", "127.0.0.1:9", "--log", "/no/x.log"], "--log: /no/x.log cannot be written (No such file or "),
        (["--upstream", "nowhere.invalid:9"], "--upstream: the server nowhere.invalid is not known"),
        (["--upstream", "127.0.0.1:9", "--host", "192.0.2.1"], ": cannot listen on UDP 192.0.2.1:0"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(arguments: list[str], message: str) -> None:
    command = [sys.executable, "-m", "transport", "relay", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert "[Errno" not in done.stderr


def test_lists_and_traces_need_nothing_but_python_itself() -> None:
    def alone(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-S", "-m", "transport", *arguments]  # -S: without site-packages
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)

    links = alone("links", "--json")
    assert (links.returncode, links.stderr) == (0, "")
    assert "lte-like" in [link["name"] for link in json.loads(links.stdout)]
    assert alone("links", "--trace", "8kbit").stdout == "1504\n"
    refused = alone("links", "--trace", "0mbit")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("python -m transport links: link '0mbit': a link of 0.0 Mbit/s cannot be traced")


def test_the_list_says_what_it_leaves_out_and_refuses_a_folder_that_there_is_not(tmp_path: Path) -> None:
    def links(folder: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "transport", "links", "--json", "--traces", str(folder)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)

    (tmp_path / "a+b.down").write_text("1\n", "ascii")
    listed = links(tmp_path)
    assert listed.returncode == 0
    assert "a+b" not in [link["name"] for link in json.loads(listed.stdout)]
    assert f"{tmp_path / 'a+b.down'} is no link's name" in listed.stderr
    refused = links(tmp_path / "nowhere")
    assert refused.returncode == 2
    assert "argument --traces: there is no folder" in refused.stderr


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


def test_its_last_words_are_what_it_lost_itself_and_how_late_it_was() -> None:
    with process("--upstream", "127.0.0.1:9", "--log-level", "error") as child:
        lane = child.read()["lanes"][0]
        with udp_socket((lane["host"], lane["port"])) as client:
            client.send(b"to nobody")
        child.process.terminate()
        words = child.read()
    lost = ["datagrams_unsent", "datagrams_refused", "datagrams_turned_away"]
    lost += ["datagrams_missed"] * (sys.platform == "linux")
    assert words.pop("event") == "ended"
    assert {name: words[name] for name in lost} == dict.fromkeys(lost, 0)
    assert set(words) <= {*lost, "lateness_p99_s", "lateness_max_s"}
