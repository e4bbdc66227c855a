"""The relay: an emulated link between UDP sockets, in user space, on every system.

One thread waits for sockets and for the next packet that is due. It waits with `select`, which takes microseconds,
where asyncio's loop rounds to the next millisecond; a relay has few sockets.
"""

from __future__ import annotations

import contextlib
import random
import select
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

from cc.core.lateness import Lateness
from cc.links.queueing.registry import DROPTAIL
from transport.relay.agent import LinkAgent
from transport.relay.lane import Lane, Upstream, Ways, connected
from transport.relay.log import LinkLog, LogWriter
from transport.relay.pipe import PipeLink
from transport.relay.polling import polled_down, polled_up
from transport.relay.queues import QueueKind
from transport.relay.room import STRANGER_BYTES, Room
from transport.relay.settings import EmulatedLink, PreparedLink
from transport.udp.socket import bind

MAX_CLIENTS = 256  # of all lanes together; select takes 512 sockets on Windows, 1024 elsewhere
LOG_INTERVAL_S = 0.25
SWEEP_INTERVAL_S = 5.0


@dataclass(frozen=True)
class RelayOptions:
    """How a relay is started."""

    upstream: Upstream
    host: str
    ports: Sequence[int]
    """One lane each; 0 takes a free one."""
    logs: Sequence[Path]
    """Empty, or one for each lane."""
    seed: int
    is_mahimahi_like: bool = False
    """Whether packets are late as they are with mahimahi (`polling.py`)."""
    is_for_each: bool = False
    """Whether each client has a link alone; then nothing is logged or told of it."""
    known_ratio: float | None = None
    """Of each path's switches, those that an agent tells of; None has no agent."""


class Relay:
    """Lanes, the link that they all emulate, and the loop that serves them."""

    def __init__(self, options: RelayOptions, link: PreparedLink) -> None:
        """Raises OSError for an address or a log that cannot be had."""
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._wake_reader.setblocking(False)
        self._wake_writer.setblocking(False)
        self._tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._is_ending = False
        self.lateness = Lateness()
        """How late it woke: packets leave as late, which whoever measures takes for the link's delay."""
        self._readers: dict[socket.socket, Callable[[float], bool]] = {}
        self._housekeeping_s = clock_s()
        self._sweep_s = clock_s() + SWEEP_INTERVAL_S
        self.link = EmulatedLink(link, started_s=clock_s(), started_at_ms=_time_ms())
        self.room = Room()
        """What waits on all lanes shares it."""
        self._waking = random.Random(f"{options.seed} waking") if options.is_mahimahi_like else None
        self.lanes = tuple(self._open_lanes(options))
        self.agent: LinkAgent | None = None
        if options.known_ratio is not None:
            pipes = [lane.ways.down for lane in self.lanes]
            self.agent = LinkAgent(pipes, known_ratio=options.known_ratio, seed=options.seed, now_s=clock_s())
        self._apply_link()

    def run(self) -> None:
        """Serve until `stop`. Raises OSError if a log could not be written."""
        with _finer_timers():
            self._find_readers()
            while not self._is_ending:
                self._turn()

    def call(self, task: Callable[[], None]) -> None:
        """Have `task` done by the thread that runs the relay. For other threads."""
        self._tasks.put(task)
        self._wake()

    def stop(self) -> None:
        """End `run` after its present turn. For other threads, and for signal handlers."""
        self._is_ending = True
        self._wake()

    def change_link(self, link: PreparedLink) -> EmulatedLink:
        """Emulate another link on all lanes, its trace from its beginning."""
        now_s, now_ms = clock_s(), _time_ms()
        for lane in self.lanes:
            lane.forward(now_s)
        self._write_logs(now_s)
        self.link = EmulatedLink(link, started_s=now_s, started_at_ms=now_ms)
        self._apply_link()
        return self.link

    def change_upstream(self, upstream: Upstream) -> None:
        """Speak to another server. Raises OSError where there is no route to it: the former one stays."""
        with contextlib.ExitStack() as opened:  # all of them before any is put in place
            sockets = [[opened.enter_context(connected(upstream)) for _ in lane.clients] for lane in self.lanes]
            opened.pop_all()
        for lane, lane_sockets in zip(self.lanes, sockets, strict=True):
            lane.change_upstream(upstream, lane_sockets)
        self._find_readers()

    def close(self) -> None:
        """Write the logs' last lines and close all sockets. Raises OSError if a log could not be written."""
        self._write_logs(clock_s())
        for lane in self.lanes:
            lane.close()
        self._wake_reader.close()
        self._wake_writer.close()

    def _open_lanes(self, options: RelayOptions) -> Iterator[Lane]:
        max_clients = MAX_CLIENTS // len(options.ports)
        for index, port in enumerate(options.ports):
            log = self._open_log(options.logs[index]) if options.logs else None
            yield Lane(
                bind(options.host, port),
                upstream=options.upstream,
                max_clients=max_clients,
                ways=Ways(seed=options.seed, room=self.room, log=log),
                clock_s=clock_s,
                ways_of_one=self._ways_of_clients(options.seed) if options.is_for_each else None,
            )

    def _ways_of_clients(self, seed: int) -> Callable[[], Ways]:
        """Makes each client's link, of another seed each; those of a lane are of the same seeds as another lane's."""
        return partial(self._ways_of_one, random.Random(f"{seed} clients"))

    def _ways_of_one(self, seeds: random.Random) -> Ways:
        """The link of a client that comes now: its trace is where the others' is."""
        ways = Ways(seed=seeds.getrandbits(64), room=self.room, most_bytes_each=STRANGER_BYTES)
        self._emulate(ways)
        return ways

    def _open_log(self, path: Path) -> LinkLog:
        return LinkLog(
            LogWriter(path),
            queue=_describe(self.link.settings.queue),
            zero_s=self.link.started_s,
            zero_at_ms=self.link.started_at_ms,
        )

    def _apply_link(self) -> None:
        link = self.link
        for lane in self.lanes:
            if lane.log is not None:
                lane.log.follow(link.traces.downlink_ms, name=link.traces.name, started_s=link.started_s)
            for ways in lane.all_ways():
                self._emulate(ways)
            lane.forward(clock_s())

    def _emulate(self, ways: Ways) -> None:
        link = self.link
        ways.up.change(_uplink(link, self._waking), now_s=link.started_s)
        ways.down.change(_downlink(link, self._waking), now_s=link.started_s)

    def _turn(self) -> None:
        readers = self._readers
        due_s = self._due_s()
        readable, _, _ = select.select(list(readers), [], [], max(0.0, due_s - clock_s()))
        now_s = clock_s()
        if now_s >= due_s:
            self.lateness.on_wake(due_s=due_s, woke_s=now_s)
        has_changed = False
        for sock in readable:
            if sock.fileno() >= 0:  # what was read before may have closed it
                has_changed |= readers[sock](now_s)
        now_s = clock_s()
        for lane in self.lanes:
            if lane.due_s <= now_s:
                lane.forward(now_s)
        if now_s >= self._housekeeping_s:
            has_changed |= self._keep_house(now_s)
        if has_changed:
            self._find_readers()

    def _due_s(self) -> float:
        return min(self._housekeeping_s, *[lane.due_s for lane in self.lanes])

    def _keep_house(self, now_s: float) -> bool:
        """Whether sockets were closed."""
        self._write_logs(now_s)
        self._housekeeping_s = now_s + LOG_INTERVAL_S
        if self.agent is not None:
            self.agent.read(now_s)
            self._housekeeping_s = min(self._housekeeping_s, self.agent.due_s)
        if now_s < self._sweep_s:
            return False
        self._sweep_s = now_s + SWEEP_INTERVAL_S
        return any([lane.forget_idle(now_s) for lane in self.lanes])

    def _write_logs(self, now_s: float) -> None:
        for lane in self.lanes:
            if lane.log is not None:
                lane.log.flush(until_s=now_s)

    def _find_readers(self) -> None:
        self._readers = {self._wake_reader: self._run_tasks}
        for lane in self.lanes:
            self._readers.update(lane.readers())

    def _run_tasks(self, now_s: float) -> bool:
        with contextlib.suppress(BlockingIOError):
            self._wake_reader.recv(4096)
        with contextlib.suppress(Empty):
            while True:
                self._tasks.get_nowait()()
        return False

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):  # full: it will wake in any case
            self._wake_writer.send(b"\0")


def clock_s() -> float:
    """The relay's clock; `time.monotonic` steps by 15 ms on Windows."""
    return time.perf_counter()


def _time_ms() -> int:
    """Of the epoch."""
    return time.time_ns() // 1_000_000


def _describe(queue: QueueKind) -> str:
    """As mahimahi's log has it."""
    packets, size_bytes = queue.limit.packets, queue.limit.wire_bytes
    limits = [f"packets={packets}"] * (packets is not None) + [f"bytes={size_bytes}"] * (size_bytes is not None)
    if not limits and queue.discipline == DROPTAIL:
        return "infinite"
    return f"{queue.discipline} [{', '.join(limits)}]"


def _downlink(link: EmulatedLink, waking: random.Random | None) -> PipeLink | None:
    if link.settings.is_nothing:
        return None
    return PipeLink(
        link.traces.downlink_ms,
        queue=link.settings.queue,
        delay_ahead_s=link.settings.delay_ms / 1000,
        delay_behind_s=0.0,
        loss_ratio=link.settings.loss_ratio,
        started_s=link.started_s,
        polled=None if waking is None else polled_down(zero_s=link.started_s, rng=waking),
    )


def _uplink(link: EmulatedLink, waking: random.Random | None) -> PipeLink | None:
    if link.settings.is_nothing:
        return None
    return PipeLink(
        link.traces.uplink_ms,
        queue=QueueKind(),
        delay_ahead_s=0.0,
        delay_behind_s=link.settings.delay_ms / 1000,
        loss_ratio=0.0,
        started_s=link.started_s,
        polled=None if waking is None else polled_up(zero_s=link.started_s, rng=waking),
    )


@contextlib.contextmanager
def _finer_timers() -> Iterator[None]:
    """Windows wakes a sleeper every 15 ms, unless asked for every 1 ms."""
    if sys.platform != "win32":
        yield
        return
    import ctypes  # noqa: PLC0415 - where it has the function only

    ctypes.windll.winmm.timeBeginPeriod(1)
    try:
        yield
    finally:
        ctypes.windll.winmm.timeEndPeriod(1)
