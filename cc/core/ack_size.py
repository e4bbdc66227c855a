"""How much the receiver's ACKs cover, for schemes whose window must hold what waits there for its ACK."""

from __future__ import annotations

from cc.core.base import AckEvent
from cc.core.rounds import RoundCounter
from cc.core.windowed_filter import WindowedMaximum

ACK_SIZE_ROUNDS = 10


class AckSize:
    """The largest ACK of the last ten round trips: a receiver may hold back so much before it says a word."""

    __slots__ = ("_largest_bytes", "_rounds")

    def __init__(self) -> None:
        self._largest_bytes = WindowedMaximum(ACK_SIZE_ROUNDS)
        self._rounds = RoundCounter()

    @property
    def bytes(self) -> float:
        """0 before the first ACK."""
        return self._largest_bytes.best or 0.0

    def room_bytes(self, window_bytes: float) -> float:
        """What comes on top of such a window: an ACK, but no more than the window itself, or it would hardly bind."""
        return min(self.bytes, window_bytes)

    def on_ack(self, event: AckEvent) -> None:
        """Every ACK must be told, in order."""
        self._rounds.on_ack(event)
        self._largest_bytes.update(event.acked_bytes, at=self._rounds.count)
