"""`serve --workers N`: a parent that carries no media, and N processes of which each is a whole media server."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from typing import Any

from transport.media_server.address_file import LATENESS_DIGITS, AddressFile, WorkerAddress, address_url
from transport.media_server.admission.resets import KEY_BYTES
from transport.media_server.advice import advice
from transport.media_server.orders import listen_to_stdin
from transport.media_server.reset_key import RESET_KEY_VARIABLE, environment_of_worker, reset_key
from transport.media_server.speaker import Speaker
from transport.media_server.workers.command_line import ports_of, worker_command
from transport.media_server.workers.open_ports import OpenPort, as_one
from transport.media_server.workers.parent_metrics import ParentMetrics
from transport.media_server.workers.place import Place
from transport.media_server.workers.rate_shares import shares_mbit
from transport.media_server.workers.shared_port import SharedPort
from transport.media_server.workers.worker import Message, Worker, WorkerFailedError

TICK_S = 0.25
TICKS_OF_A_BEAT = 2

logger = logging.getLogger(__name__)


async def serve_by_workers(options: argparse.Namespace) -> int:
    """Serve until it is asked to stop; the exit code. Raises OSError or ValueError where that cannot begin."""
    if not options.shared_port:
        return await _serve_until_stopped(options, None)
    with contextlib.closing(SharedPort(options.host, options.port, options.workers)) as shared:
        return await _serve_until_stopped(options, shared)


async def _serve_until_stopped(options: argparse.Namespace, shared: SharedPort | None) -> int:
    key = reset_key(os.environ) or secrets.token_bytes(KEY_BYTES)  # whoever takes a worker's port is believed
    parent = Parent(options, {**os.environ, RESET_KEY_VARIABLE: key.hex()}, shared)
    try:
        await parent.start()
        await parent.until_stopped()
    except WorkerFailedError as error:
        has_said_why = error.exit_code is not None
        logger.log(logging.DEBUG if has_said_why else logging.ERROR, "the first worker %s", error)
        return error.exit_code or 1
    finally:
        await parent.stop()
    return 0


class Parent:
    """Starts workers, tells where they are, and passes on what all of them should know."""

    def __init__(
        self, options: argparse.Namespace, environment: dict[str, str], shared: SharedPort | None = None
    ) -> None:
        """Raises OSError where metrics cannot be told, ValueError for ports that there are not.

        `shared`: the one port of all workers, which is closed by whoever opened it; None gives each its own.
        """
        self._options = options
        self._shared = shared
        self._speaker = Speaker(sys.stdout)
        self._file = None if options.address_file is None else AddressFile(options.address_file)
        self._is_ready = False
        self._said: list[dict[str, Any]] = []
        self._renewing: asyncio.Task[None] | None = None
        self._places = [
            Place(
                name,
                port,
                command=self._command,
                environment=environment_of_worker(environment, name),
                on_change=self._on_change,
                on_message=self._on_message,
            )
            for name, port in enumerate(
                ports_of(options) if shared is None else [shared.port] * options.workers, start=1
            )
        ]
        if shared is not None:
            for index, place in enumerate(self._places):
                place.descriptors = (shared.share(index).descriptor,)
        self._metrics = ParentMetrics(options, self._places, self._open_workers)

    def _command(self, name: int, port: int) -> Sequence[str]:
        share = None if self._shared is None else self._shared.share(name - 1)
        return worker_command(self._options, name, port, share=share)

    async def start(self) -> None:
        """Raises OSError, and WorkerFailedError where a worker cannot be started."""
        first, *others = self._places
        is_first_ready = asyncio.Event()  # what keeps one from starting is said once: the others wait
        try:
            async with asyncio.TaskGroup() as starting:
                for place in others:
                    starting.create_task(place.start(is_first_ready.wait))
                await first.start()
                is_first_ready.set()
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures
        if self._file is not None:
            self._file.write(self._addresses())
        self._is_ready = True
        self._speaker.say("ready", **self._first_address(), workers=self._as_json(), **self._metrics.as_json())
        if not self._options.stop_with_stdin:
            urls = " and ".join(worker.url for worker in self._addresses())
            logger.info(advice(self._options, urls))

    async def until_stopped(self) -> None:
        """Until a signal or the end of standard input."""
        stopping = self._stopping()
        watching = [asyncio.create_task(part) for part in (stopping.wait(), self._tick())]
        parts = {*watching, *(place.supervision for place in self._places)}
        done, _ = await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        self._speaker.say_if_heard("stopping")
        for task in watching:
            task.cancel()
        for task in done:
            task.result()  # a fault of ours ends the server, and whoever supervises it starts another

    async def stop(self) -> None:
        """End all workers."""
        if self._file is not None:
            self._file.remove()
        if self._renewing is not None:
            self._renewing.cancel()
        await asyncio.gather(*(place.stop() for place in self._places))
        self._metrics.close()

    def _stopping(self) -> asyncio.Event:
        stopping = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopping.set)
        loop.add_signal_handler(signal.SIGUSR1, self._rotate_certificates)
        loop.add_signal_handler(signal.SIGUSR2, self._renew)  # not SIGHUP, which a terminal sends when it closes
        if self._options.stop_with_stdin:
            listen_to_stdin(None, stopping.set)
        return stopping

    def _rotate_certificates(self) -> None:
        for worker in self._workers():
            worker.signal(signal.SIGUSR1)

    def _renew(self) -> None:
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew_one_by_one())

    async def _renew_one_by_one(self) -> None:
        for place in self._places:
            await place.renew()
            while self._shared is not None and place.takes_sessions and not place.is_known:
                await asyncio.sleep(TICK_S)  # its certificate is to be heard of before the others' go
            logger.info("worker %d is new", place.name)
        logger.info("all workers are new")

    async def _tick(self) -> None:
        beat = 0
        while True:
            await asyncio.sleep(TICK_S)
            self._metrics.on_tick()
            for worker in self._workers():
                worker.tick()
            beat = (beat + 1) % TICKS_OF_A_BEAT
            if beat == 0:
                self._share_rate()
                self._tell()
                if self._options.beat:
                    self._speaker.say_if_heard("beat")

    def _on_change(self) -> None:
        """A worker came, or goes: pages must not be sent to one that is not there."""
        if self._is_ready:
            self._share_rate()
            self._tell()

    def _on_message(self, place: Place, message: Message) -> None:
        match message["event"]:
            case "watch":
                for other in self._workers():
                    if other is not place.worker:
                        other.order("watch", host=message["host"], port=message["port"])
            case "policy" if self._is_ready:
                self._speaker.say_if_heard(**message)
            case "newcomers" if self._options.self_check and self._is_ready:  # nothing before the ready line
                lets_in = any(worker.lets_newcomers_in for worker in self._open_workers())
                self._speaker.say_if_heard("newcomers", can_enter=lets_in, opening_s=message["opening_s"])
            case "certificate" | "newcomers":
                self._on_change()

    def _share_rate(self) -> None:
        total_mbit, workers = self._options.total_rate_mbit, self._workers()
        if total_mbit is None:
            return
        for worker, mbit in zip(workers, shares_mbit(total_mbit, [each.load.demand for each in workers]), strict=True):
            worker.order("total-rate", mbit=mbit)

    def _workers(self) -> list[Worker]:
        return [place.worker for place in self._places if place.worker is not None]

    def _workers_that_stay(self) -> list[Worker]:
        return [place.worker for place in self._places if place.takes_sessions and place.worker is not None]

    def _open_workers(self) -> list[Worker]:
        """Where sessions can be opened; who shuts newcomers out is among them only where all do."""
        there = self._workers_that_stay()
        return [worker for worker in there if worker.lets_newcomers_in] or there

    def _tell(self) -> None:
        """Say and write where sessions can be opened, where that, or what they have to do, has changed."""
        if self._shared is not None:
            self._route(self._shared)
        if self._file is not None:
            self._file.keep(self._addresses())
        workers = self._as_json()
        if workers != self._said and self._speaker.say_if_heard("workers", workers=workers):
            self._said = workers

    def _route(self, shared: SharedPort) -> None:
        open_workers = self._open_workers()
        known = [place.is_known and place.worker in open_workers for place in self._places]
        try:
            shared.route(known if any(known) else [place.takes_sessions for place in self._places])
        except OSError as error:
            logger.error("some newcomers may wait for a worker that is away: %s", error)

    def _open_ports(self) -> list[OpenPort]:
        if self._shared is None:
            return [OpenPort.of(worker) for worker in self._open_workers()]
        return as_one([OpenPort.of(worker) for worker in self._workers_that_stay()])  # newcomers come to any

    def _addresses(self) -> list[WorkerAddress]:
        return [
            WorkerAddress(
                address_url(self._options.public_host or self._options.host, port.port),
                port.certificate_sha256,
                port.certificate_not_after,
                port.sessions,
                round(port.lateness_s, LATENESS_DIGITS),
            )
            for port in self._open_ports()
        ]

    def _as_json(self) -> list[dict[str, Any]]:
        return [
            {"port": port.port, "certificate_sha256": port.certificate_sha256, "sessions": port.sessions}
            for port in self._open_ports()
        ]

    def _first_address(self) -> dict[str, Any]:
        """For whoever knows of one process only."""
        first = OpenPort.of(self._workers()[0]) if self._shared is None else self._open_ports()[0]
        return {
            "host": self._options.host,
            "port": first.port,
            "certificate_sha256": first.certificate_sha256,
            "certificate_not_after": first.certificate_not_after,
        }
