"""When datagrams came, on real sockets, and that lanes go by it."""

from __future__ import annotations

import random
import socket
import time

import pytest

from transport.relay.arrival import CAN_STAMP, ask_for_arrivals, clock_s, receive_arrived
from transport.relay.lane import Client, Lane, resolve
from transport.relay.pipe import LinkPipe, Packet
from transport.udp import bind

READING_S = 1e-3  # two clocks are read one after the other

pytestmark = pytest.mark.skipif(not CAN_STAMP, reason="only Linux tells when a datagram came")


class NotingPipe(LinkPipe[Client]):
    """Notes when packets came, and carries none."""

    def __init__(self) -> None:
        super().__init__(rng=random.Random(1))
        self.came_s: list[float] = []

    def offer(self, packet: Packet[Client], *, at_s: float) -> None:
        self.came_s.append(at_s)


class LaterTime:
    """The module `time`, so much later; the clock of the day was set besides."""

    def __init__(self, later_s: float, *, day_s: float = 0.0) -> None:
        self._later_s = later_s
        self._day_s = day_s

    def perf_counter(self) -> float:
        return time.perf_counter() + self._later_s

    def time_ns(self) -> int:
        return time.time_ns() + round((self._later_s + self._day_s) * 1e9)


def test_a_datagram_came_when_it_was_sent_over_loopback_not_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with bind("127.0.0.1", 0) as sink, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as source:
        ask_for_arrivals(sink)
        before_s = clock_s()
        source.sendto(b"one", sink.getsockname())
        after_s = clock_s()
        monkeypatch.setattr("transport.relay.arrival.time", LaterTime(60))
        data, address, came_s = receive_arrived(sink, 100)
        assert (data, address[1]) == (b"one", source.getsockname()[1])
    assert before_s - READING_S <= came_s <= after_s + READING_S


def test_a_datagram_from_a_clock_that_was_set_back_came_now(monkeypatch: pytest.MonkeyPatch) -> None:
    with bind("127.0.0.1", 0) as sink, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as source:
        ask_for_arrivals(sink)
        source.sendto(b"one", sink.getsockname())
        now_s = clock_s()
        monkeypatch.setattr("transport.relay.arrival.time", LaterTime(0, day_s=-3600))
        _, _, came_s = receive_arrived(sink, 100)
    assert now_s <= came_s <= clock_s()


def test_who_did_not_ask_gets_the_time_of_reading() -> None:
    with bind("127.0.0.1", 0) as sink, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as source:
        source.sendto(b"one", sink.getsockname())
        now_s = clock_s()
        _, _, came_s = receive_arrived(sink, 100)
    assert came_s >= now_s


def test_a_lane_counts_datagrams_from_when_they_came_however_late_its_turn_is() -> None:
    up, down = NotingPipe(), NotingPipe()
    with bind("127.0.0.1", 0) as server, bind("127.0.0.1", 0) as client:
        lane = Lane(
            bind("127.0.0.1", 0), upstream=resolve(*server.getsockname()), max_clients=1, pipes=(up, down), log=None
        )
        sent_s = clock_s()
        client.sendto(b"question", lane.address)
        for _, read in lane.readers():
            read(sent_s + 60)
        (upstream,) = (known.socket for known in lane.clients)
        server.sendto(b"answer", upstream.getsockname())
        answered_s = clock_s()
        for _, read in lane.readers():
            read(sent_s + 60)
        lane.close()
    (question_s,), (answer_s,) = up.came_s, down.came_s
    assert sent_s - READING_S <= question_s <= answer_s <= answered_s + READING_S
