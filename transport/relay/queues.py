"""The two kinds of queue that a pipe may have, in the relay's own seconds.

Droptail is foreseen: when a packet leaves is known as soon as it enters, which is what the relay is fastest with. The
other disciplines decide only when the trace asks for a packet, so the pipe has to come back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from cc.core.random_source import RandomSource
from cc.links.link import LinkQueue, QueueLimit
from cc.links.queueing.discipline import Mark
from cc.links.queueing.registry import DROPTAIL, make_discipline
from cc.links.queueing.served_queue import ServedQueue

ROUNDING_S = 1e-6  # between a queue's own time and the relay's: far above rounding, far below the trace's resolution

TokenT = TypeVar("TokenT")


@dataclass(frozen=True, slots=True)
class QueueKind:
    """A discipline, and how much it holds."""

    discipline: str = DROPTAIL
    limit: QueueLimit = field(default_factory=QueueLimit)


class Left(NamedTuple, Generic[TokenT]):
    """What left the queue, or will, or was dropped."""

    at_s: float
    entered_s: float
    token: TokenT
    is_dropped: bool = False
    mark: Mark | None = None


class PipeQueue(Protocol[TokenT]):
    """Packets enter with a token and come out with it, in order; times must not go back."""

    @property
    def foresees(self) -> bool:
        """Whether `enter` alone decides what becomes of a packet, and `serve` has no part in it."""

    @property
    def due_s(self) -> float:
        """When `serve` has something to do next; infinite if never."""

    def enter(self, token: TokenT, size_bytes: int, *, at_s: float, entered_s: float) -> Left[TokenT] | None:
        """A packet of UDP payload arrives: what becomes of it, where that is known. Call `serve(at_s)` first.

        `entered_s` is for the log: a packet that came over from another link entered before.
        """

    def serve(self, until_s: float) -> Sequence[Left[TokenT]]:
        """What left or was dropped up to then, that instant included."""

    def withdraw(self) -> Sequence[tuple[float, TokenT]]:
        """Take out all of which nothing was told yet, in order, with the times at which they entered."""


def make_queue(
    kind: QueueKind, opportunities_ms: Sequence[int], *, started_s: float, rng: RandomSource
) -> PipeQueue[TokenT]:
    """`started_s` is the trace's time 0; `rng` draws PIE's random numbers."""
    if kind.discipline == DROPTAIL:
        return ForeseeingQueue(opportunities_ms, kind.limit, started_s=started_s)
    return DisciplinedQueue(kind, opportunities_ms, started_s=started_s, rng=rng)


class ForeseeingQueue(Generic[TokenT]):
    """Droptail: a packet's departure is told when it enters."""

    due_s = math.inf
    foresees = True

    def __init__(self, opportunities_ms: Sequence[int], limit: QueueLimit, *, started_s: float) -> None:
        """Raises ValueError for a trace that mahimahi would refuse."""
        self._queue = LinkQueue(opportunities_ms, limit=limit)
        self._started_s = started_s

    def enter(self, token: TokenT, size_bytes: int, *, at_s: float, entered_s: float) -> Left[TokenT]:
        """When the packet leaves, which lies ahead, or that it is dropped."""
        (leaves_s,) = self._queue.enter_all((size_bytes,), times_s=(at_s - self._started_s,))
        if leaves_s is None:
            return Left(at_s, entered_s, token, is_dropped=True)
        return Left(self._started_s + leaves_s, entered_s, token)

    def serve(self, until_s: float) -> Sequence[Left[TokenT]]:
        """Nothing: all was told already."""
        return ()

    def withdraw(self) -> Sequence[tuple[float, TokenT]]:
        """Nothing, either."""
        return ()


class DisciplinedQueue(Generic[TokenT]):
    """Any discipline: what leaves is told when it leaves."""

    foresees = False

    def __init__(
        self, kind: QueueKind, opportunities_ms: Sequence[int], *, started_s: float, rng: RandomSource
    ) -> None:
        """Raises ValueError for a trace that mahimahi would refuse."""
        self._queue: ServedQueue[tuple[float, TokenT]] = ServedQueue(
            opportunities_ms,
            make_discipline(kind.discipline, kind.limit, opportunities_ms=opportunities_ms, rng=rng),
        )
        self._started_s = started_s

    @property
    def due_s(self) -> float:
        return self._started_s + self._queue.due_s

    def enter(self, token: TokenT, size_bytes: int, *, at_s: float, entered_s: float) -> Left[TokenT] | None:
        """None where it waits. A discipline counts its delay from here, also of one from another link."""
        if self._queue.enter((entered_s, token), size_bytes, now_s=at_s - self._started_s):
            return None
        return Left(at_s, entered_s, token, is_dropped=True)

    def serve(self, until_s: float) -> Sequence[Left[TokenT]]:
        """Use the opportunities up to then."""
        left: list[Left[TokenT]] = []
        for departure in self._queue.serve(until_s - self._started_s + ROUNDING_S):
            entered_s, token = departure.token
            at_s = self._started_s + departure.departed_s
            left.append(Left(at_s, entered_s, token, departure.is_dropped, departure.mark))
        return left

    def withdraw(self) -> Sequence[tuple[float, TokenT]]:
        """All that waits."""
        return self._queue.withdraw()
