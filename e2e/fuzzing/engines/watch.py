"""Feeds a target, and notes what crashes it, what takes long and what memory grows."""

from __future__ import annotations

import gc
import os
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Literal

from e2e.fuzzing.findings import Finding, save
from e2e.fuzzing.journal import Journal
from e2e.fuzzing.target import HungError, Subject, Target

WARM_SHARE = 0.3
"""Of a run's inputs, after which memory has to stand still."""
SLOW_SHARE = 0.1
"""Of a target's limit; what takes longer is measured again."""
MOST_FINDINGS = 20
"""Different ones; then a run stops."""


@dataclass(slots=True)
class Tally:
    """What a run found."""

    inputs: int = 0
    understood: int = 0
    slowest_s: float = 0.0
    """CPU time of the slowest input."""
    warm_rss_bytes: int | None = None
    rss_bytes: int | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def growth_bytes(self) -> int | None:
        """What memory has grown by since the run was warm; None where the system does not tell."""
        if self.warm_rss_bytes is None or self.rss_bytes is None:
            return None
        return self.rss_bytes - self.warm_rss_bytes


@dataclass(frozen=True, slots=True)
class Order:
    """Which inputs a run feeds, and how many: so many, or as many as its time takes."""

    seed: int
    inputs: int
    seconds: float | None = None

    def done_share(self, fed: int, *, began_s: float) -> float:
        """How much of it is done after so many, of a run that began then (monotonic)."""
        time_share = 0.0 if self.seconds is None else (time.monotonic() - began_s) / self.seconds
        return max(fed / self.inputs, time_share)


@dataclass(frozen=True, slots=True)
class Places:
    """Where a run writes: a folder for inputs that were too much, a file for what is about to be fed."""

    findings: Path
    journal: Path | None = None


class Watch:
    """One run over a target."""

    def __init__(self, target: Target, places: Places) -> None:
        self.tally = Tally()
        self._target = target
        self._folder = places.findings
        self._journal = None if places.journal is None else Journal(places.journal)
        self._fed: list[bytes] = []
        """Since the subject began: what it takes to see the finding again."""
        self._subject: Subject | None = None
        self._known: set[tuple[str, str]] = set()
        self._is_feeding = False
        self._is_warm = False
        signal.signal(signal.SIGPROF, self._on_time_over)

    def feed(self, data: bytes) -> None:
        """One input; what it breaks is noted."""
        subject = self._ready()
        self._fed.append(data)
        if self._journal is not None:
            self._journal.note(data)
        began_s = time.thread_time()
        error = self._fed_to(subject, data)
        took_s = time.thread_time() - began_s
        if isinstance(error, HungError) or took_s > SLOW_SHARE * self._target.hang_s:
            took_s = min(took_s, self._again_s())
        is_hang_once = isinstance(error, HungError) and took_s < self._target.hang_s / 2
        if error is not None and not is_hang_once:
            self._note(error)
        self.tally.slowest_s = max(self.tally.slowest_s, took_s)
        self.tally.inputs += 1

    @property
    def is_over(self) -> bool:
        """Whether more of it tells nothing new."""
        return len(self.tally.findings) >= MOST_FINDINGS

    def warm(self) -> None:
        """From here on memory has to stand still; only the first call counts."""
        if not self._is_warm:
            self._is_warm = True
            self.tally.warm_rss_bytes = rss_bytes()

    def end(self) -> Tally:
        """Nothing more is fed."""
        self._drop()
        self.tally.rss_bytes = rss_bytes()
        self._target.end()
        if self._journal is not None:
            self._journal.close()
        return self.tally

    def _fed_to(self, subject: Subject, data: bytes) -> BaseException | None:
        signal.setitimer(signal.ITIMER_PROF, self._target.hang_s)
        try:
            self._is_feeding = True
            if subject.feed(data):
                self.tally.understood += 1
            self._is_feeding = False
        except (HungError, Exception) as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            self._is_feeding = False
            return error
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return None

    def _on_time_over(self, number: int, frame: FrameType | None) -> None:
        """Raise, but in the target alone: Python calls this some time after the signal, maybe in the engine."""
        del number, frame
        if self._is_feeding:
            raise HungError("the input took too long")

    def _again_s(self) -> float:
        """How long the last input takes another subject: a machine that stood still makes anything look slow."""
        subject, took_s = self._target.open(), 0.0
        for data in self._fed:
            began_s = time.thread_time()
            error = self._fed_to(subject, data)
            took_s = time.thread_time() - began_s
            if error is not None or subject.is_spent:
                break
        subject.close()
        return took_s

    def _ready(self) -> Subject:
        subject = self._subject
        if subject is not None and (subject.is_spent or len(self._fed) >= self._target.inputs_each):
            self._drop()
            subject = None
        if subject is None:
            subject = self._subject = self._target.open()
            self._fed = []
            if self._journal is not None:
                self._journal.begin()
        return subject

    def _drop(self) -> None:
        if self._subject is not None:
            self._subject.close()
            self._subject = None

    def _note(self, error: BaseException) -> None:
        what: Literal["crash", "hang"] = "hang" if isinstance(error, HungError) else "crash"
        where = traceback.extract_tb(error.__traceback__)[-1]
        signature = (type(error).__name__, f"{where.filename}:{where.lineno}")
        if signature not in self._known:
            self._known.add(signature)
            text = "".join(traceback.format_exception(error))
            self.tally.findings.append(save(self._folder, self._target.name, what, self._fed, text))
        self._subject = None  # what is left of it may be anything


@contextmanager
def watching(target: Target, places: Places) -> Iterator[Watch]:
    """Ends the watch whatever happens."""
    watch = Watch(target, places)
    try:
        yield watch
    finally:
        watch.end()


def rss_bytes() -> int | None:
    """Of this process, after what can be collected was; None where the system does not tell."""
    gc.collect()
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
