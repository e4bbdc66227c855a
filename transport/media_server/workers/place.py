"""A worker's place: whoever holds it is started again when it ends, sooner at first, later when that does not help."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from transport.media_server.workers.worker import Message, Worker, WorkerFailedError

RESTART_DELAYS_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Before the restarts that follow each other; the last is repeated."""
WELL_AFTER_S = 10.0
"""A worker that ran for so long was well: the waits begin anew."""

logger = logging.getLogger(__name__)


class Place:
    """One of several; its worker keeps its port from start to start."""

    def __init__(
        self,
        name: int,
        port: int,
        *,
        command: Callable[[int, int], Sequence[str]],
        environment: Mapping[str, str],
        on_change: Callable[[], None],
        on_message: Callable[[Place, Message], None],
    ) -> None:
        """`command` of a name and a port; `on_change` is called when the worker comes or goes."""
        self.name = name
        self.worker: Worker | None = None
        self.starts = 0
        self.descriptors: Sequence[int] = ()
        """Open ones of this process that each worker here has, too."""
        self._asked_port = self._port = port
        self._command = command
        self._environment = environment
        self._on_change = on_change
        self._on_message = on_message
        self._is_leaving = False
        self._is_up = asyncio.Event()
        self._supervision: asyncio.Task[None] | None = None

    @property
    def supervision(self) -> asyncio.Task[None]:
        """Ends by a fault alone, or by `stop`; there is one once it has started."""
        assert self._supervision is not None
        return self._supervision

    @property
    def takes_sessions(self) -> bool:
        """Whether there is a worker that is heard and stays."""
        return self.worker is not None and not self.worker.is_mute and not self._is_leaving

    @property
    def is_known(self) -> bool:
        """Whether there is one that takes sessions and of which pages have heard."""
        return self.takes_sessions and self.worker is not None and self.worker.is_known

    async def start(self, turn: Callable[[], Awaitable[object]] | None = None) -> None:
        """Raises WorkerFailedError where that fails this first time; from then on the worker is watched.

        The worker imports what it needs while it waits for its `turn`.
        """
        first = await self._start(turn)
        self._supervision = asyncio.create_task(self._supervise(first))
        await self._is_up.wait()

    async def renew(self) -> None:
        """Let the worker's sessions go elsewhere, and put another worker in its place; returns when it is there."""
        worker = self.worker
        if worker is None:
            await self._is_up.wait()
            return
        self._is_leaving = True
        self._is_up.clear()
        self._on_change()
        await worker.stop()
        await self._is_up.wait()

    async def stop(self) -> None:
        """End the worker, and start no other."""
        if self._supervision is not None:
            self._supervision.cancel()
        if self.worker is not None:
            await self.worker.stop()

    async def _supervise(self, first: Worker) -> None:
        loop = asyncio.get_running_loop()
        worker, attempts = first, 0
        while True:
            began_s = loop.time()
            self._come(worker)
            how = await worker.until_ended(lambda message: self._on_message(self, message))
            was_asked = self._is_leaving
            self._go()
            if was_asked or loop.time() - began_s > WELL_AFTER_S:
                attempts = 0
            if not was_asked:
                logger.error("worker %d %s; starting it again", self.name, how)
            worker, attempts = await self._restart(attempts, at_once=was_asked)

    async def _restart(self, attempts: int, *, at_once: bool) -> tuple[Worker, int]:
        while True:
            if not at_once:
                await asyncio.sleep(RESTART_DELAYS_S[min(attempts, len(RESTART_DELAYS_S) - 1)])
                attempts += 1
            at_once = False
            try:
                return await self._start(), attempts
            except WorkerFailedError as error:
                logger.error("worker %d %s", self.name, error)
                self._port = self._asked_port  # somebody may have taken the one that it had

    async def _start(self, turn: Callable[[], Awaitable[object]] | None = None) -> Worker:
        self.starts += 1
        command = self._command(self.name, self._port)
        worker = await Worker.start(command, self._environment, turn, descriptors=self.descriptors)
        self._port = worker.port
        return worker

    def _come(self, worker: Worker) -> None:
        self.worker = worker
        self._is_leaving = False
        self._is_up.set()
        self._on_change()

    def _go(self) -> None:
        self.worker = None
        self._is_up.clear()
        self._on_change()
