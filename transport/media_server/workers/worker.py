"""One process of a media server that runs in several: started, heard, told, and seen off."""

from __future__ import annotations

import asyncio
import json
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from transport.media_server.load import Load
from transport.media_server.rate_limits import RateDemand

READY_LIMIT_S = 30.0
STOP_LIMIT_S = 3.0
LINE_LIMIT_BYTES = 2**20
MUTE_TICKS = 6
"""Whoever said nothing for so long gets no new sessions."""
KNOWN_TICKS = 12
"""Pages ask where sessions are opened before each: who asked before this one was told of has opened its own by then."""
DEAD_TICKS = 20
"""Whoever said nothing for so long is ended; counted, since a parent that was suspended itself must not end anybody."""

Message = Mapping[str, Any]


class WorkerFailedError(Exception):
    """It ended, or said nothing, before it was ready."""

    def __init__(self, sentence: str, exit_code: int | None) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
        """None where it had to be ended, or could not be run."""


class Worker:
    """One that has said that it is ready."""

    def __init__(self, process: Process, ready: Message) -> None:
        self._process = process
        self.pid = process.pid
        self.port: int = ready["port"]
        self.certificate_sha256: tuple[str, ...] = tuple(ready["certificate_sha256"])
        """Base64 of each in force, the newest first."""
        self.certificate_not_after: str = ready["certificate_not_after"]
        self.load = Load()
        self.lets_newcomers_in = True
        self._ticks = self._silent_ticks = 0
        self._metrics: asyncio.Future[str] | None = None

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        environment: Mapping[str, str],
        turn: Callable[[], Awaitable[object]] | None = None,
        *,
        descriptors: Sequence[int] = (),
    ) -> Worker:
        """Import what it needs at once, and begin in its turn. Raises WorkerFailedError.

        `descriptors` are open in it, too.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                env=environment,
                stdin=PIPE,
                stdout=PIPE,
                limit=LINE_LIMIT_BYTES,
                pass_fds=descriptors,
            )
        except OSError as error:  # the machine has no room for a process, or a file, just now
            raise WorkerFailedError(f"cannot be run ({error.strerror})", None) from error
        assert process.stdout is not None
        line = b""
        try:
            if turn is not None:
                await turn()
            _tell(process, "begin")
            async with asyncio.timeout(READY_LIMIT_S):
                line = await process.stdout.readline()
        except TimeoutError as error:
            sentence = f"did not say that it is ready within {READY_LIMIT_S:g} s"
            raise WorkerFailedError(sentence, None) from error
        finally:
            if not line and process.returncode is None:
                await _see_off(process)
        if not line:
            raise WorkerFailedError(
                f"ended with exit code {process.returncode} before it was ready", process.returncode
            )
        return cls(process, json.loads(line))

    @property
    def is_mute(self) -> bool:
        """Whether nothing was heard of it for a while."""
        return self._silent_ticks > MUTE_TICKS

    @property
    def is_known(self) -> bool:
        """Whether pages that come have its certificate, or need not."""
        return not self.certificate_sha256 or self._ticks > KNOWN_TICKS

    def tick(self) -> None:
        """Four times a second: ends one that stays silent."""
        self._ticks += 1
        self._silent_ticks += 1
        if self._silent_ticks > DEAD_TICKS:
            self.signal(signal.SIGKILL)

    async def until_ended(self, on_message: Callable[[Message], None]) -> str:
        """Hear it until it ends; how it ended, in words."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self._silent_ticks = 0
            message = json.loads(line)
            self._note(message)
            on_message(message)
        code = await self._process.wait()
        return f"ended with exit code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"

    def order(self, order: str, **fields: object) -> None:
        """Tell it something; without effect once it has ended."""
        _tell(self._process, order, **fields)

    async def ask_metrics(self, limit_s: float) -> str | None:
        """In Prometheus' format; None where it does not answer in time."""
        if self._metrics is None:
            self._metrics = asyncio.get_running_loop().create_future()
            self.order("metrics")
        asked = self._metrics
        try:
            async with asyncio.timeout(limit_s):
                return await asyncio.shield(asked)
        except TimeoutError:
            if self._metrics is asked:
                self._metrics = None  # whoever asks next gives the order anew
            return None

    def signal(self, number: signal.Signals) -> None:
        """Without effect once it has ended."""
        if self._process.returncode is None:
            self._process.send_signal(number)

    async def stop(self) -> None:
        """Ask it to end, make it end if it does not, and wait."""
        await _see_off(self._process)

    def _note(self, message: Message) -> None:
        match message["event"]:
            case "beat":
                demand = RateDemand(**message["demand"])
                self.load = Load(message["sessions"], message["lateness_s"], demand)
            case "certificate":
                self.certificate_sha256 = tuple(message["certificate_sha256"])
                self.certificate_not_after = message["certificate_not_after"]
            case "newcomers":
                self.lets_newcomers_in = message["can_enter"]
            case "metrics" if self._metrics is not None:
                asked, self._metrics = self._metrics, None
                if not asked.done():
                    asked.set_result(message["text"])


def _tell(process: Process, order: str, **fields: object) -> None:
    assert process.stdin is not None
    if not process.stdin.is_closing():
        process.stdin.write(json.dumps({"order": order, **fields}).encode() + b"\n")


async def _see_off(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(STOP_LIMIT_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
