"""Round trips counted by delivery: a round ends when a packet that was sent after it began is acknowledged."""

from __future__ import annotations

from cc.core.base import AckEvent


class RoundCounter:
    """Tells which ACKs begin a round trip (draft-ietf-ccwg-bbr, BBRUpdateRound)."""

    __slots__ = ("_end_delivered_bytes", "count")

    def __init__(self) -> None:
        self._end_delivered_bytes = 0
        self.count = 0
        """Rounds begun."""

    def on_ack(self, event: AckEvent) -> bool:
        """Whether this ACK begins a round; every ACK must be told, in order."""
        if event.acked[-1].delivered_bytes < self._end_delivered_bytes:
            return False
        self.restart(event.delivered_bytes)
        self.count += 1
        return True

    def restart(self, delivered_bytes: int) -> None:
        """Let the present round end only when a packet sent from now on is acknowledged."""
        self._end_delivered_bytes = delivered_bytes
