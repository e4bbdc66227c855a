"""A child that is stopped where it takes too long, and whose words are kept in a file."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.clone import ROOT
from e2e.laboratory.record import RunError, RunFailure

STOP_LIMIT_S = 20.0
"""For it to end what it started; then it is killed."""


class CellError(RunError):
    """A cell that came to nothing; the message is its last line, or that it hung."""

    def __init__(self, message: str) -> None:
        super().__init__(RunFailure(message))


def run_watched(command: Sequence[str], log: Path, limit_s: float) -> None:
    """In a process group of its own, which ends with it. Raises CellError, and OSError for a log that cannot be."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True
        )
        try:
            status = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            raise CellError(f"it hung, and was stopped after {limit_s:.0f} s") from None
        finally:
            _stop(process)
    if status != 0:
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise CellError(said[-1] if said else f"exit status {status}, without a word")


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
    with contextlib.suppress(ProcessLookupError):  # where all of it is gone
        os.killpg(process.pid, signal.SIGKILL)  # what it may have left in its group
    process.wait()
