"""What the relay does to datagrams between real sockets: delay, loss, order, marks."""

from __future__ import annotations

import random
import time
from functools import partial
from pathlib import Path

import pytest

from transport.relay.settings import LinkSettings
from transport.tests.running_relay import NONE, has_served, running
from transport.udp.ancillary import receive
from transport.udp.marking import CAN_MARK, CodePoint, ask_for_marks, code_point_of


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


def test_a_datagram_that_is_too_large_is_refused_but_the_next_passes() -> None:
    with running(LinkSettings("24mbit", delay_ms=0)) as run:
        client = run.client()
        client.send(bytes(1473))
        client.send(bytes(5000))
        client.send(bytes(1472))
        assert len(run.server.recvfrom(8192)[0]) == 1472
