"""How much work a peer may make over time: each datagram may ask for much, but not hundreds a second for nothing.

What is sent to a peer earns it the work of answering that, by its bytes: who asks for many small answers is sent next
to nothing. What is beyond is not read, as if the network had lost it: an honest client that gets there sends it again.
"""

from __future__ import annotations

WORK_PER_S = 5_000
"""In the long run, in small frames (`frame_limits.MOST_WORK`), of a peer that is sent nothing: a hundred of a player's
requests."""
BURST_S = 2
WORK_BURST = BURST_S * WORK_PER_S
"""At once, of a peer that has been silent for as long."""
FIRST_WORK = 2_000
"""At once, of one that has just come: two handshakes on a bad path. Who comes again and again gains no more by that."""
PACKET_BYTES = 1200
"""QUIC's least full packet."""
WORK_PER_BYTE_SENT = 84 / PACKET_BYTES
"""On top, for what the peer got to answer: an ACK and feedback for each full packet cost as much."""
STREAM_WORK = 8
"""To open one, beside its frames: what is asked for on it has to be looked up and answered."""
DATAGRAM_WORK = 30
"""To open one and to wake twice for it, since its ACK waits for what else may leave; beside its frames. What has none
was not the peer's: who forges datagrams shuts nobody out."""
HANDSHAKE_DATAGRAM_WORK = 120
"""The same of one that may have several packets."""


class WorkBudget:
    """Of one connection."""

    def __init__(self) -> None:
        self._left = float(FIRST_WORK)
        self._per_s = float(WORK_PER_S)
        self._counted_at_s: float | None = None
        self._bytes_sent = 0

    def bound(self, per_s: float) -> None:
        """Allow no more than this in the long run, beside what is earned."""
        self._per_s = min(per_s, WORK_PER_S)

    def allows_more(self, *, now_s: float, bytes_sent: int, bytes_in_flight: int) -> bool:
        """Whether another datagram is read.

        `bytes_sent`: by us, of packets that want an answer. `bytes_in_flight`: whose answers are still to come.
        """
        elapsed_s = 0.0 if self._counted_at_s is None else max(0.0, now_s - self._counted_at_s)
        earned = self._per_s * elapsed_s + WORK_PER_BYTE_SENT * max(0, bytes_sent - self._bytes_sent)
        most = BURST_S * self._per_s + WORK_PER_BYTE_SENT * bytes_in_flight
        self._left = min(most, self._left + earned)
        self._counted_at_s, self._bytes_sent = now_s, bytes_sent
        return self._left > 0

    def spend(self, work: float) -> None:
        """So much was done for the peer."""
        self._left -= work
