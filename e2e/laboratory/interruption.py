"""Signals that end a command."""

from __future__ import annotations

import signal
from types import FrameType
from typing import NoReturn


def interrupt_on_signals() -> None:
    """So that whatever stops this process stops its children, too."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt(signal.Signals(number).name)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), interrupt)
