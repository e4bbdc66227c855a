"""A relay between real sockets on loopback, for tests: in a thread, and as a process."""

from __future__ import annotations

import contextlib
import io
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cc.links.catalogue import LinkCatalogue
from transport.relay.control import Control
from transport.relay.lane import Client, resolve
from transport.relay.pipe import LinkPipe
from transport.relay.relay import Relay, RelayOptions
from transport.relay.settings import LinkSettings, prepare_link

LIMIT_S = 10.0
ROOT = Path(__file__).parents[2]
CATALOGUE = LinkCatalogue([])
NONE = LinkSettings("none", delay_ms=0)
OF_A_CONNECTION = bytes([0x40]) * 43
"""A short header, on more than a stateless reset has."""


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


def connected(run: Running, *, answer: bytes = OF_A_CONNECTION) -> socket.socket:
    """A client that the server has answered."""
    client = run.client()
    client.send(b"new")
    _, address = run.server.recvfrom(2048)
    run.server.sendto(answer, address)
    assert client.recv(2048) == answer
    return client


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
