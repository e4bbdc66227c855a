"""What a queue before a link decides: which packets enter, which leave, and what the router writes on them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from cc.core.random_source import RandomSource
from cc.links.link import QueueLimit

ROUNDING_S = 1e-6  # what falls on the same millisecond of a trace must count as the same instant

TokenT = TypeVar("TokenT")


class Mark(Enum):
    """What a router that marks (`accel_brake.py`, `ce_threshold.py`) tells the sender by way of the receiver."""

    ACCELERATE = "accelerate"
    BRAKE = "brake"
    CONGESTION = "congestion"


class QueuedPacket(Generic[TokenT]):
    """A packet in the queue; `token` is whatever its owner knows it by."""

    __slots__ = ("entered_s", "mark", "token", "wire_bytes")

    def __init__(self, token: TokenT, wire_bytes: int, entered_s: float) -> None:
        self.token = token
        self.wire_bytes = wire_bytes
        self.entered_s = entered_s
        self.mark: Mark | None = None


class DropTail(Generic[TokenT]):
    """First in, first out; what finds no room is dropped. The other disciplines derive from it.

    Times must not go back. A packet that is being sent is not in the queue any more, as in mahimahi.
    """

    def __init__(self, limit: QueueLimit | None = None) -> None:
        self._limit = QueueLimit() if limit is None else limit
        self._packets: deque[QueuedPacket[TokenT]] = deque()
        self.wire_bytes = 0
        self._dropped: list[QueuedPacket[TokenT]] = []

    def __len__(self) -> int:
        return len(self._packets)

    def enter(self, packet: QueuedPacket[TokenT], *, now_s: float) -> bool:
        """A packet arrives; whether it finds room."""
        limit = self._limit
        if (limit.packets is not None and len(self._packets) >= limit.packets) or (
            limit.wire_bytes is not None and self.wire_bytes + packet.wire_bytes > limit.wire_bytes
        ):
            return False
        self._packets.append(packet)
        self.wire_bytes += packet.wire_bytes
        return True

    def leave(self, *, now_s: float) -> QueuedPacket[TokenT] | None:
        """The packet that the link sends next; None if none is left."""
        return self._take()

    def take_dropped(self) -> list[QueuedPacket[TokenT]]:
        """Packets that had entered, but were dropped since this was last asked."""
        dropped, self._dropped = self._dropped, []
        return dropped

    def withdraw(self) -> list[QueuedPacket[TokenT]]:
        """Take out all that waits, in order."""
        packets = list(self._packets)
        self._packets.clear()
        self.wire_bytes = 0
        return packets

    def _take(self) -> QueuedPacket[TokenT] | None:
        if not self._packets:
            return None
        packet = self._packets.popleft()
        self.wire_bytes -= packet.wire_bytes
        return packet


@dataclass(frozen=True, slots=True)
class Discipline:
    """One that can be asked for: its file has it, and `registry` a line."""

    name: str
    make: Callable[[QueueLimit, Sequence[int], RandomSource], DropTail[Any]]
    """For a queue in front of a link with this trace of opportunities, ms."""
    marks: bool = False
    """Whether it writes on packets what senders need to know."""


DISCIPLINE = Discipline("droptail", lambda limit, _opportunities_ms, _rng: DropTail(limit))
