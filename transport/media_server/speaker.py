"""Lines of JSON on standard output, for the process that started this one."""

from __future__ import annotations

import contextlib
import json
import os
import select
from typing import TextIO


class Speaker:
    """Whoever reads it may go away or stand still at any time."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def say(self, event: str, **fields: object) -> None:
        """Wait for a reader that stands still. Raises what `say_if_there_is_room` does."""
        self._stream.write(json.dumps({"event": event, **fields}) + "\n")
        self._stream.flush()

    def say_if_heard(self, event: str, **fields: object) -> bool:
        """Whether it was said. A reader that stands still misses it; one that has gone, or a full disk, is no fault."""
        with contextlib.suppress(OSError):
            return self.say_if_there_is_room(event, **fields)
        return False

    def say_if_there_is_room(self, event: str, **fields: object) -> bool:
        """Whether it was said. Raises BrokenPipeError where no reader is left, another OSError where a disk is full."""
        has_room = os.name != "posix" or bool(select.select([], [self._stream.fileno()], [], 0)[1])
        if has_room:
            self.say(event, **fields)
        return has_room
