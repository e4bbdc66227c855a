"""Who goes on sending although next to nothing of it is read: the connection ends, and what still comes is nobody's.

What is not read is not decrypted either, so anybody may have sent it. How much the peer itself has sent tell the packet
numbers of what is read. The lesser of the two counts: nobody is ended for what others send, or for what a network
loses. Who sends one packet number again and again is not ended: that is what others could do, and costs little.
"""

from __future__ import annotations

from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet import QuicErrorCode
from aioquic.tls import Epoch

PERIOD_S = 1.0
PERIODS = 3
"""In a row. What a network has held for long, and then lets go at once, takes one of them."""
MOST_TIMES = 5
"""As much as is read; the paused viewers of a crowded address get to twice."""
LEAST_UNREAD = 20
"""In a period, for it to count."""
TOO_MUCH = "much more was sent than is read"


class UnreadLimits:
    """Of one connection whose handshake is over."""

    def __init__(self, quic: QuicConnection) -> None:
        self._quic = quic
        self._read = 0
        self._unread = 0
        """What was left unread, whoever has sent it."""
        self._largest_number = 0
        self._ends_s: float | None = None
        """The period that these are of."""
        self._periods = 0
        """Before it, in a row, of which too much was left unread."""

    def on_unread(self) -> None:
        """A datagram was left unread."""
        self._unread += 1

    def on_read(self, *, now_s: float) -> None:
        """One was read that the peer has sent, for the first time; may close the connection."""
        self._read += 1
        if self._ends_s is not None and now_s < self._ends_s:
            return
        largest_number = self._quic._spaces[Epoch.ONE_RTT].largest_received_packet
        if self._ends_s is not None:
            self._end_period(sent=largest_number - self._largest_number)
        self._read = self._unread = 0
        self._largest_number = largest_number
        self._ends_s = now_s + PERIOD_S

    def _end_period(self, *, sent: int) -> None:
        unread = min(self._unread, sent - self._read)
        is_too_much = unread >= max(LEAST_UNREAD, MOST_TIMES * self._read)
        self._periods = self._periods + 1 if is_too_much else 0
        if self._periods == PERIODS:
            self._quic.close(error_code=QuicErrorCode.INTERNAL_ERROR, reason_phrase=TOO_MUCH)
