"""What a worker is told on standard input by the process that started it: one line of JSON for each order.

`{"order": "begin"}` first, then any of `{"order": "watch", "host", "port"}`, `{"order": "total-rate", "mbit"}` and
`{"order": "metrics"}`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

Order = Mapping[str, Any]
PIECE_BYTES = 65_536
END_LIMIT_S = 10.0
"""In which a process ends whose standard input has: nobody is left who would end one that hangs."""


def is_told_to_begin() -> bool:
    """Wait for the first order; False where standard input ends instead. What comes after it is left to be heard."""
    while (byte := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        pass
    return byte != b""


def listen_to_stdin(on_order: Callable[[Order], None] | None, on_end: Callable[[], None]) -> None:
    """Hear orders in the event loop until standard input ends; None passes over what comes.

    The process ends with exit code 1 where it is still there `END_LIMIT_S` after that.
    """
    arguments = (asyncio.get_running_loop(), on_order, on_end)
    threading.Thread(target=_listen, args=arguments, daemon=True).start()


def _listen(
    loop: asyncio.AbstractEventLoop, on_order: Callable[[Order], None] | None, on_end: Callable[[], None]
) -> None:
    # os.read, not sys.stdin: a thread that holds the buffer's lock makes the interpreter's end fail
    waiting = b""
    while piece := os.read(sys.stdin.fileno(), PIECE_BYTES):
        if on_order is None:
            continue
        *lines, waiting = (waiting + piece).split(b"\n")
        for line in lines:
            loop.call_soon_threadsafe(on_order, json.loads(line))
    with contextlib.suppress(RuntimeError):  # the loop is closed already
        loop.call_soon_threadsafe(on_end)
    time.sleep(END_LIMIT_S)
    os._exit(1)
