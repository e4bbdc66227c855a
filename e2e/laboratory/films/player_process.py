"""A player in a process of its own, asked step by step."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Self

import msgspec

from cc.command_line.clone import ROOT
from e2e.laboratory.films.messages import About, Open, PlayedFilm, Step, StepAnswer
from e2e.laboratory.typescript import compiled

PLAYER = ROOT / "e2e" / "virtual-player"


def about(folders: Sequence[Path]) -> About:
    """The player's rules, and what these films are. Raises PlayerError."""
    ran = subprocess.run(
        [*compiled(PLAYER / "about.ts"), *map(str, folders)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if ran.returncode != 0:
        raise PlayerError(f"the player cannot be asked: {ran.stderr[-2000:]}")
    return msgspec.json.decode(ran.stdout, type=About)


class PlayerError(Exception):
    """The player's process ended; the message has its last words."""


LONGEST_ANSWER_S = 120.0
"""What takes longer will never come: a step is a second of the film's time at most."""


class PlayerProcess:
    """Plays films, one after the other; it ends with this process. Every call raises PlayerError where it is gone."""

    def __init__(self) -> None:
        self._said = TemporaryFile()  # noqa: SIM115 - closed at the exit; what dash.js says would fill a pipe that nobody reads
        self._process = subprocess.Popen(
            compiled(PLAYER / "main.ts"),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
        )
        self._answers = 0
        self._is_asked = False
        self._is_closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self, choices: Open) -> None:
        """Begin a film; what was played before makes no difference to it."""
        self._ask(choices)

    def step(self, step: Step) -> StepAnswer:
        """Let its time pass."""
        return msgspec.json.decode(self._ask(step), type=StepAnswer)

    def played(self) -> PlayedFilm:
        """What became of the film. Raises PlayerError where it could not go on."""
        played = msgspec.json.decode(self._ask({}), type=PlayedFilm)
        if played.error is not None:
            raise PlayerError(f"at {played.position_seconds:.1f} s: {played.error}")
        return played

    def close(self) -> None:
        """End it, if it was not."""
        if self._is_closed.is_set():
            return
        self._is_closed.set()
        with self._said, self._process:
            self._process.kill()

    def _watch(self) -> None:
        """A player that answers no more is ended, which whoever waits for it notices."""
        seen = None
        while not self._is_closed.wait(LONGEST_ANSWER_S):
            if self._is_asked and self._answers == seen:
                self._process.kill()
            seen = self._answers

    def _ask(self, message: object) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        self._is_asked = True
        try:
            stdin.write(msgspec.json.encode(message) + b"\n")
            stdin.flush()
        except BrokenPipeError:
            pass  # what it said last tells why
        line = stdout.readline()
        if not line:
            self._process.wait()
            self._said.seek(0)
            last_words = self._said.read().decode(errors="replace").strip()[-2000:]
            raise PlayerError(last_words or f"the player ended with {self._process.returncode}, and said nothing")
        self._is_asked = False
        self._answers += 1
        return line
