"""mahimahi's log of a link (`mm-link --downlink-log`), line for line, so that what reads the one reads the other."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from cc.links.clock import MILLISECONDS_PER_S, ROUNDING_MS
from cc.links.link import OPPORTUNITY_BYTES

WAITING_TEXTS = 512  # some minutes: the disk is stuck
OPPORTUNITY, DEPARTURE, ARRIVAL, DROP = range(4)  # within a millisecond mahimahi serves first, then takes in


class LinkLog:
    """Collects what the downlink's queue does, and hands it over in the order of time.

    Event times are whole milliseconds since the header's `init timestamp`, rounded down as mahimahi's are.
    """

    def __init__(self, writer: LogWriter, *, queue: str, zero_s: float, zero_at_ms: int) -> None:
        self._writer = writer
        self._zero_s = zero_s
        self._started_s = zero_s
        self.handed_over_s = zero_s
        """What happens before is told too late."""
        self._base_ms = 0
        self._opportunities: Iterator[int] = iter(())
        self._next_opportunity_ms: int | None = None
        self._events: list[tuple[int, int, str]] = []
        writer.write(
            f"# nuwa-stream relay (Downlink)\n# queue: {queue}\n# init timestamp: {zero_at_ms}\n# base timestamp: 0\n"
        )

    def follow(self, opportunities_ms: Sequence[int] | None, *, name: str, started_s: float) -> None:
        """From now on the opportunities are this trace's; None for no link. Call `flush` up to now first."""
        self._started_s = started_s
        self._base_ms = int((started_s - self._zero_s) * 1000)
        self._opportunities = iter(()) if opportunities_ms is None else repeat(opportunities_ms, self._base_ms)
        self._next_opportunity_ms = next(self._opportunities, None)
        self._events.append((self._base_ms, OPPORTUNITY, f"# link: {name}, its time 0 is {self._base_ms}\n"))

    def arrived(self, wire_bytes: int, *, at_s: float) -> None:
        """A packet reached the queue."""
        at_ms = self._ms(at_s)
        self._events.append((at_ms, ARRIVAL, f"{at_ms} + {wire_bytes}\n"))

    def departed(self, wire_bytes: int, *, entered_s: float, at_s: float) -> None:
        """It left the queue, at an opportunity."""
        at_ms = self._base_ms + round((at_s - self._started_s) * 1000)
        self._events.append((at_ms, DEPARTURE, f"{at_ms} - {wire_bytes} {at_ms - self._ms(entered_s)}\n"))

    def dropped(self, wire_bytes: int, *, at_s: float) -> None:
        """The queue refused it, or dropped it later."""
        at_ms = self._ms(at_s)
        self._events.append((at_ms, DROP, f"{at_ms} d 1 {wire_bytes}\n"))

    def flush(self, *, until_s: float) -> None:
        """Hand over everything until then; all of it must have been told. Raises OSError if writing failed."""
        events = self._events
        self.handed_over_s = until_s
        until_ms = self._base_ms + int((until_s - self._started_s) * 1000)
        while self._next_opportunity_ms is not None and self._next_opportunity_ms <= until_ms:
            at_ms = self._next_opportunity_ms
            events.append((at_ms, OPPORTUNITY, f"{at_ms} # {OPPORTUNITY_BYTES}\n"))
            self._next_opportunity_ms = next(self._opportunities, None)
        if events:
            events.sort(key=lambda event: event[:2])
            self._writer.write("".join(line for _, _, line in events))
            events.clear()

    def close(self) -> None:
        """Raises OSError if writing failed."""
        self._writer.close()

    def _ms(self, at_s: float) -> int:
        """What is dropped at an opportunity is dropped in that millisecond."""
        return int((at_s - self._zero_s) * MILLISECONDS_PER_S + ROUNDING_MS)


class LogWriter:
    """Writes in a thread of its own, since a disk may make its writer wait."""

    def __init__(self, path: Path) -> None:
        """Raises OSError where the file cannot be written."""
        self._path = path
        try:
            self._file: TextIO = path.open("w", encoding="ascii", errors="backslashreplace", newline="\n")
        except OSError as error:
            sentence = f"--log: {path} cannot be written ({error.strerror}); give a file in a folder of yours"
            raise OSError(error.errno, sentence) from error
        self._texts: queue.Queue[str | None] = queue.Queue(WAITING_TEXTS)
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._run, name=f"log {path}", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        """Raises OSError if an earlier text could not be written, or too many wait."""
        self._raise_error()
        try:
            self._texts.put_nowait(text)
        except queue.Full:
            raise OSError(f"log {self._path} cannot be written fast enough") from None

    def close(self) -> None:
        """Raises OSError if a text could not be written."""
        self._texts.put(None)
        self._thread.join()
        self._raise_error()

    def _raise_error(self) -> None:
        if self._error is not None:
            raise OSError(self._error.errno, f"log {self._path} cannot be written: {self._error.strerror}")

    def _run(self) -> None:
        while (text := self._texts.get()) is not None:
            if self._error is None:
                self._try(partial(self._file.write, text))
                self._try(self._file.flush)
        self._try(self._file.close)

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError as error:
            self._error = self._error or error


def repeat(opportunities_ms: Sequence[int], base_ms: int) -> Iterator[int]:
    """The times of a trace that begins at `base_ms`, for ever."""
    while True:
        for time_ms in opportunities_ms:
            yield base_ms + time_ms
        base_ms += opportunities_ms[-1]
