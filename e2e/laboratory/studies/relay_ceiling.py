"""How fast the relay forwards, and how late, with nothing but loopback around it."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from types import TracebackType

from cc.core.quantile import quantile
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.samples import median_figure
from e2e.laboratory.studies.study import Study
from transport.media_server.endpoint import UDP_SEGMENT

LATE = Reach("at most", 2.0)
DATAGRAM_BYTES = 1200
STEPS_MBIT_PER_S = (25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 400, 500)
STEP_S = 1.5
SETTLING_S = 0.3
ATTEMPTS = 2  # a machine that does something else for a moment loses some, too
BATCH = 16
BUFFER_BYTES = 8 * 2**20
PINGS = 300
PING_INTERVAL_S = 0.01
LIMIT_S = 5.0
FAST_LINK = ("--link", "1gbit", "--delay", "5", "--queue", "20000")
EMULATED_DELAY_S = 0.020
SLOW_LINK = ("--link", "24mbit", "--delay", "20", "--queue", "300")


def measure(bench: Bench) -> Findings:
    """Medians of the repeats."""
    loads = [measure_relay() for _ in range(bench.repeats)]

    def added(what: str, samples: list[float], reach: Reach | None = None) -> Figure:
        return median_figure(what, samples, "ms", reach=reach)

    passing, emulating = [load.passing for load in loads], [load.emulating for load in loads]
    return Findings(
        (
            median_figure(
                "forwarded without a loss, 1200-byte datagrams",
                [load.ceiling_megabits_per_s for load in loads],
                "Mbit/s",
                reach=Reach("at least", 150.0),
            ),
            added("added delay, idle, passing through, p50", [delay.p50_ms for delay in passing]),
            added("the same, p99", [delay.p99_ms for delay in passing], LATE),
            added("added delay beside the 20 ms emulated, idle, 24 Mbit/s, p50", [delay.p50_ms for delay in emulating]),
            added("the same, p99 (up to 1 ms is the trace's)", [delay.p99_ms for delay in emulating], LATE),
        )
    )


class Relay:
    """A relay process, a server behind it and a client in front."""

    def __init__(self, *options: str) -> None:
        self.server = _socket()
        self.server.bind(("127.0.0.1", 0))
        upstream = f"127.0.0.1:{self.server.getsockname()[1]}"
        command = [sys.executable, "-m", "transport", "relay", "--upstream", upstream, *options, "--control"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        port = json.loads(self._process.stdout.readline())["lanes"][0]["port"]
        self.client = _socket()
        self.client.connect(("127.0.0.1", port))
        self.client.send(b"hello")
        self.peer = self.server.recvfrom(2048)[1]
        """What the server sees as the client."""

    def __enter__(self) -> Relay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
        self.server.close()
        self.client.close()


@dataclass(frozen=True)
class Step:
    """One rate."""

    mbit_per_s: float
    """As received."""
    sent: int
    received: int


@dataclass(frozen=True)
class AddedDelay:
    """How much later than directly, beside what is emulated: median against median, p99 against p99."""

    p50_ms: float
    p99_ms: float


@dataclass(frozen=True)
class RelayLoad:
    """What the relay can do."""

    ceiling_megabits_per_s: float
    """The fastest that was forwarded without a loss."""
    passing: AddedDelay
    """Without a link."""
    emulating: AddedDelay


def measure_relay() -> RelayLoad:
    """Takes about half a minute."""
    with Relay(*FAST_LINK) as relay:
        steps = _climb(relay)
    whole = [step for step in steps if step.received == step.sent]
    with Relay("--link", "none") as relay:
        through, direct = _ping(relay)
    with Relay(*SLOW_LINK) as relay:
        emulated, _ = _ping(relay)
    return RelayLoad(
        max((step.mbit_per_s for step in whole), default=0.0),
        passing=_added(through, direct, emulated_s=0.0),
        emulating=_added(emulated, direct, emulated_s=EMULATED_DELAY_S),
    )


def _climb(relay: Relay) -> list[Step]:
    steps: list[Step] = []
    for mbit_per_s in STEPS_MBIT_PER_S:
        for _ in range(ATTEMPTS):
            steps.append(_run_step(relay, mbit_per_s))
            if steps[-1].received == steps[-1].sent:
                break
        else:
            break
    return steps


def _run_step(relay: Relay, mbit_per_s: float) -> Step:
    interval_s = BATCH * DATAGRAM_BYTES * 8 / (mbit_per_s * 1e6)
    relay.client.setblocking(False)
    next_s = began_s = time.perf_counter()
    sent = received = 0
    while (now_s := time.perf_counter()) < began_s + STEP_S:
        if now_s >= next_s:
            _send_batch(relay)
            sent += BATCH
            next_s += interval_s
        received += _drain(relay.client)
        time.sleep(max(0.0, min(next_s - time.perf_counter(), 0.001)))
    lasted_s = time.perf_counter() - began_s
    while time.perf_counter() < began_s + lasted_s + SETTLING_S:
        received += _drain(relay.client)
        time.sleep(0.001)
    return Step(received * DATAGRAM_BYTES * 8 / lasted_s / 1e6, sent, received)


def _send_batch(relay: Relay) -> None:
    """As the media server sends a flight: in one call where the system can."""
    if sys.platform == "linux":
        segment = [(socket.IPPROTO_UDP, UDP_SEGMENT, struct.pack("=H", DATAGRAM_BYTES))]
        relay.server.sendmsg([bytes(DATAGRAM_BYTES * BATCH)], segment, 0, relay.peer)
        return
    for _ in range(BATCH):
        relay.server.sendto(bytes(DATAGRAM_BYTES), relay.peer)


def _drain(sock: socket.socket) -> int:
    count = 0
    while True:
        try:
            sock.recv(2048)
        except BlockingIOError:
            return count
        count += 1


def _ping(relay: Relay) -> tuple[list[float], list[float]]:
    """Seconds from client to server: through the relay, and directly."""
    direct_socket = _socket()
    direct_socket.connect(relay.server.getsockname())
    through: list[float] = []
    direct: list[float] = []
    with direct_socket:
        for _ in range(PINGS):
            for sock, delays in ((relay.client, through), (direct_socket, direct)):
                time.sleep(PING_INTERVAL_S)
                sent_s = time.perf_counter()
                sock.send(bytes(DATAGRAM_BYTES))
                relay.server.recv(2048)
                delays.append(time.perf_counter() - sent_s)
    return through, direct


def _added(through: list[float], direct: list[float], *, emulated_s: float) -> AddedDelay:
    p50_ms, p99_ms = (
        1000 * (quantile(sorted(through), share) - emulated_s - quantile(sorted(direct), share))
        for share in (0.5, 0.99)
    )
    return AddedDelay(p50_ms, p99_ms)


def _socket() -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.settimeout(LIMIT_S)
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        sock.setsockopt(socket.SOL_SOCKET, option, BUFFER_BYTES)
    return sock


STUDY = Study(
    "What the relay forwards",
    "The relay on loopback: Mbit/s without a loss, and delay beside sending directly.",
    measure,
)
