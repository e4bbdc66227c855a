"""A child process that speaks in lines on standard output and ends when its standard input does.

So it ends even where this process is killed without a chance to say so. It has a process group of its own.
"""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from cc.command_line.clone import ROOT
from e2e.laboratory.record import RunError, RunFailure

KEPT_BYTES = 4000
"""Of a child's last words, for an error's message."""
LONGEST_LINE_BYTES = 2**26
STOP_LIMIT_S = 8.0


class ChildError(RunError):
    """A child that ended, or never began, where it should have served; the message is one sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(RunFailure(message))


class Child:
    """One that has begun."""

    def __init__(self, name: str, process: Process) -> None:
        """Use `start`."""
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._name = name
        self._process = process
        self._input, self._output = process.stdin, process.stdout
        self._last_words = b""
        self._listening = asyncio.create_task(self._listen(process.stderr))

    @classmethod
    async def start(cls, name: str, command: Sequence[str], *, root: Path = ROOT) -> Child:
        """`root`: the clone whose Python folders it imports. Raises ChildError where there is no such program."""
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                cwd=root,
                env={**os.environ, "PYTHONPATH": str(root)} if root != ROOT else None,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                start_new_session=True,
                limit=LONGEST_LINE_BYTES,
            )
        except OSError as error:
            raise ChildError(f"{name}: {command[0]} does not start: {error.strerror}") from error
        return cls(name, process)

    async def __aenter__(self) -> Child:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if error is not None:
            self._kill()
        await self.stop()

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    @property
    def state(self) -> dict[str, object]:
        """Whether it goes on, and what it said last, for a failure's state."""
        return {"has_ended": self._process.returncode is not None, "last_words": self._said()}

    async def send(self, line: str) -> None:
        """To its standard input."""
        self._input.write(f"{line}\n".encode())
        await self._input.drain()

    async def next_line(self, limit_s: float) -> str:
        """Raises ChildError where the child ends, or says nothing for so long."""
        try:
            async with asyncio.timeout(limit_s):
                line = await self._output.readline()
        except TimeoutError as error:
            raise ChildError(f"{self._name} said nothing for {limit_s:.1f} s. {self._said()}") from error
        if not line:
            status = await self._process.wait()
            await self._listening
            raise ChildError(f"{self._name} ended early (exit status {status}). {self._said()}")
        return line.decode().rstrip("\n")

    async def finish(self, limit_s: float) -> None:
        """Waits for its end. Raises ChildError where it ends badly, or not within so long."""
        try:
            async with asyncio.timeout(limit_s):
                await self._output.read()
                status = await self._process.wait()
        except TimeoutError as error:
            raise ChildError(f"{self._name} did not end within {limit_s:.0f} s. {self._said()}") from error
        await self._listening
        if status != 0:
            raise ChildError(f"{self._name} failed (exit status {status}). {self._said()}")

    async def stop(self) -> list[str]:
        """Ends it; the lines that were not read yet. What is left of it after a while is killed."""
        self._input.close()
        try:
            async with asyncio.timeout(STOP_LIMIT_S):
                lines = await self._output.read()
                await self._process.wait()
        except TimeoutError:
            lines = b""
        self._kill()  # what the child may have left in its group
        await self._process.wait()
        await self._listening
        return lines.decode().splitlines()

    def _kill(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return  # all of the group is gone

    def _said(self) -> str:
        return self._last_words.decode(errors="replace").strip()

    async def _listen(self, errors: asyncio.StreamReader) -> None:
        while said := await errors.read(KEPT_BYTES):
            self._last_words = (self._last_words + said)[-KEPT_BYTES:]
