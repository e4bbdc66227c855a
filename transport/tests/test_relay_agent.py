"""What the relay tells of its paths' switches: counts in virtual time, and over HTTP from a process."""

from __future__ import annotations

import contextlib
import json
import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from cc.core.network_report import NetworkReport
from cc.links.link import QueueLimit, constant_rate_opportunities_ms
from transport.media_server.network_reports import fetch_report
from transport.relay.agent import LinkAgent, ReportServer
from transport.relay.lane import Client
from transport.relay.pipe import LinkPipe, Packet, PipeLink
from transport.relay.queues import QueueKind
from transport.tests.running_relay import process, udp_socket
from transport.wire_format.network_report_json import MalformedReportError, report_as_json, report_from_json

PAYLOAD_BYTES = 1472  # an opportunity each
SEED = 3
CLIENT: Any = object()


def slow_pipe(*, loss_ratio: float = 0.0) -> LinkPipe[Client]:
    """100 packets a second, a queue of five, 50 ms before it."""
    pipe: LinkPipe[Client] = LinkPipe(loss_rng=random.Random(SEED), queue_rng=random.Random(SEED))
    link = PipeLink(
        constant_rate_opportunities_ms(100 * 1504 * 8 / 1e6),
        queue=QueueKind(limit=QueueLimit(packets=5)),
        delay_ahead_s=0.05,
        delay_behind_s=0.0,
        loss_ratio=loss_ratio,
        started_s=0.0,
    )
    pipe.change(link, now_s=0.0)
    return pipe


def offer(pipe: LinkPipe[Client], packets: int, *, now_s: float) -> None:
    for _ in range(packets):
        pipe.offer(Packet(bytes(PAYLOAD_BYTES), CLIENT), at_s=now_s)


@pytest.mark.parametrize("loss_ratio", [0.0, 1.0])
def test_counts_what_reaches_the_queue_and_what_leaves_it(loss_ratio: float) -> None:
    pipe = slow_pipe(loss_ratio=loss_ratio)
    offer(pipe, 10, now_s=0.0)
    assert (pipe.packets_entered, pipe.packets_left) == (0, 0)  # on the way to the queue
    pipe.take_due(now_s=0.051)
    # five wait for the opportunity at 60 ms, five are dropped
    assert (pipe.packets_entered, pipe.packets_left, pipe.packets_dropped) == (10, 0, 5)
    pipe.take_due(now_s=0.085)  # opportunities at 60, 70 and 80 ms
    assert (pipe.packets_entered, pipe.packets_left) == (10, 3)
    pipe.take_due(now_s=1.0)
    assert (pipe.packets_entered, pipe.packets_left) == (10, 5)  # whatever becomes of them behind it


def test_the_agent_reports_each_second_by_itself() -> None:
    pipes = [slow_pipe(), slow_pipe()]
    agent = LinkAgent(pipes, known_ratio=1.0, seed=SEED, now_s=0.0)
    offer(pipes[1], 10, now_s=0.0)
    pipes[1].take_due(now_s=0.9)
    agent.read(0.9)
    assert not agent.reports
    agent.read(1.0)
    assert [report.congestion_packets for report in agent.reports] == [0, 5]
    assert agent.due_s == 2.0
    agent.read(2.0)
    assert [report.congestion_packets for report in agent.reports] == [0, 0]


@pytest.mark.parametrize("known_ratio", [0.0, 0.5, 0.8, 1.0])
def test_the_agent_tells_of_the_share_that_it_knows(known_ratio: float) -> None:
    agent = LinkAgent([slow_pipe()] * 3, known_ratio=known_ratio, seed=SEED, now_s=0.0)
    agent.read(1.0)
    assert [report.known_ratio for report in agent.reports] == [known_ratio] * 3


@contextlib.contextmanager
def served(agent: LinkAgent) -> Iterator[str]:
    server = ReportServer(agent, 0)
    server.start()
    try:
        yield server.urls(1)[0]
    finally:
        server.stop()


def refusal(url: str) -> tuple[int, str]:
    with pytest.raises(urllib.error.HTTPError) as caught:
        fetch_report(url)
    with caught.value as answer:
        return answer.code, json.loads(answer.read())["reason"]


def test_serves_what_the_agent_last_read() -> None:
    pipe = slow_pipe()
    agent = LinkAgent([pipe], known_ratio=0.8, seed=SEED, now_s=0.0)
    with served(agent) as url:
        assert refusal(url) == (503, "the first second has not passed yet")
        offer(pipe, 10, now_s=0.0)
        pipe.take_due(now_s=0.085)
        agent.read(1.0)
        assert fetch_report(url) == agent.reports[0]
        assert refusal(url.replace("/lanes/0", "/lanes/1")) == (404, "lane 1 is not one of 1")
        assert refusal(url.replace("/lanes/0", "/")) == (404, "'/' is not /lanes/NUMBER")


def test_a_port_that_is_taken_is_named() -> None:
    agent = LinkAgent([slow_pipe()], known_ratio=1.0, seed=SEED, now_s=0.0)
    with served(agent) as url:
        port = int(url.split(":")[2].split("/", maxsplit=1)[0])
        with pytest.raises(OSError, match=rf"cannot listen on TCP 127\.0\.0\.1:{port}"):
            ReportServer(agent, port)


def test_a_report_survives_its_json() -> None:
    agent = LinkAgent([slow_pipe()], known_ratio=0.5, seed=SEED, now_s=0.0)
    agent.read(1.0)
    text = json.dumps(report_as_json(agent.reports[0]))
    assert report_from_json(json.loads(text)) == agent.reports[0]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "no JSON object"),
        ({"switches_on_path": 10}, "known None is not a list"),
        ({"switches_on_path": 10, "known": [3]}, "received_packets None is not a whole number"),
        ({"switches_on_path": True, "known": []}, "switches_on_path True is not a whole number"),
        ({"switches_on_path": 0, "known": []}, "makes no sense: 0 known switches are none of 0"),
    ],
)
def test_a_malformed_report_is_refused(value: object, reason: str) -> None:
    with pytest.raises(MalformedReportError, match=reason):
        report_from_json(value)


def test_as_a_process_it_counts_what_it_carries() -> None:
    with udp_socket() as server:
        upstream = f"127.0.0.1:{server.getsockname()[1]}"
        options = ["--link", "24mbit", "--queue", "300", "--report", "0", "--known", "1", "--seed", "3"]
        with process("--upstream", upstream, *options, "--control") as child:
            ready = child.read()
            lane = ready["lanes"][0]
            with udp_socket((lane["host"], lane["port"])) as client:
                client.send(b"hello")
                _, peer = server.recvfrom(2048)
                for _ in range(50):
                    server.sendto(bytes(1000), peer)
                for _ in range(50):
                    client.recv(2048)
                report = first_report(ready["reports"][0])
    assert max(counts.received_packets for counts in report.known) == 50
    assert report.congestion_packets == 0  # the queue is empty again
    assert child.process.returncode == 0


def first_report(url: str) -> NetworkReport:
    """Asks until the first second is over."""
    while True:
        with contextlib.suppress(urllib.error.HTTPError):
            return fetch_report(url)


def test_known_without_a_report_is_refused() -> None:
    with process("--upstream", "127.0.0.1:9", "--known", "0.5") as child:
        assert child.process.wait(10) == 2
        assert child.process.stderr is not None
        assert child.process.stderr.read().endswith("--known: nothing is reported; add --report PORT\n")
