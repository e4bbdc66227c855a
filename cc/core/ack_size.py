"""How much the receiver's ACKs cover, for schemes that allow for what waits there for its ACK."""

from __future__ import annotations

from cc.core.base import AckEvent
from cc.core.windowed_filter import WindowedMaximum

ACK_SIZE_ROUNDS = 10


class AckSize:
    """The largest ACK of the last ten round trips: a receiver may hold back so much before it says a word."""

    __slots__ = ("_largest_bytes",)

    def __init__(self) -> None:
        self._largest_bytes = WindowedMaximum(ACK_SIZE_ROUNDS)

    @property
    def bytes(self) -> float:
        """0 before the first ACK."""
        return self._largest_bytes.best or 0.0

    def on_ack(self, event: AckEvent, *, rounds: int) -> None:
        """Every ACK must be told, in order, with the round trips that have begun by then."""
        self._largest_bytes.update(event.acked_bytes, at=rounds)
