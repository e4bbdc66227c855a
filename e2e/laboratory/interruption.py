"""Signals that end a command."""

from __future__ import annotations

import signal
import subprocess
from types import FrameType
from typing import NoReturn


def interrupt_on_signals() -> None:
    """So that whatever stops this process stops its children, too."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt(signal.Signals(number).name)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), interrupt)


def ended(program: subprocess.Popen[bytes]) -> int:
    """Its exit status; an interruption is passed on once, and its own end waited for: it may say what it has."""
    is_told = False
    while True:
        try:
            return program.wait()
        except KeyboardInterrupt:
            if not is_told:
                program.terminate()
            is_told = True
