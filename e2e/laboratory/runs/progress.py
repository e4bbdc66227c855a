"""How far a matrix has come, on standard error: a bar on a terminal, a line for each tenth elsewhere."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TextIO

from tqdm import tqdm


class Progress:
    """Runs begin and end, several side by side."""

    def __init__(self, *, total: int, done: int, output: TextIO, unit: str = "run") -> None:
        """Of `total` runs `done` were made before."""
        self._total, self._done, self._finished, self._output = total, done, done, output
        self._unit = unit
        self._began_s = time.monotonic()
        self._running: list[str] = []
        self._bar = tqdm(total=total, initial=done, unit=unit, file=output, disable=not output.isatty())

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.set_postfix_str("")
        self._bar.close()

    def begin(self, run: str) -> None:
        """A run is under way."""
        self._running.append(run)
        self._bar.set_postfix_str(describe_running(self._running))

    def finish(self, run: str) -> None:
        """It is over."""
        self._running.remove(run)
        tenth = 10 * self._finished // self._total
        self._finished += 1
        self._bar.set_postfix_str(describe_running(self._running), refresh=False)
        self._bar.update()
        if self._bar.disable and 10 * self._finished // self._total > tenth:
            self.say(f"{self._finished} of {self._total} {self._unit}s{self._left()}")

    def _left(self) -> str:
        """How long the rest will take, if it goes on as it went."""
        rest = self._total - self._finished
        passed_s = time.monotonic() - self._began_s
        left_s = passed_s * rest / max(1, self._finished - self._done)
        return "" if rest == 0 else f", about {describe_time(left_s)} to go"

    def drop(self, run: str) -> None:
        """It is no longer under way, and will be begun again."""
        self._running.remove(run)

    def say(self, line: str) -> None:
        """A line that stays."""
        self._bar.write(line, file=self._output)


def describe_running(running: Sequence[str]) -> str:
    """What is said of the runs under way, the first of which began first."""
    return "" if not running else running[0] if len(running) == 1 else f"{running[0]} and {len(running) - 1} more"


def describe_time(seconds: float) -> str:
    """As people say it: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
