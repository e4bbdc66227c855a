"""Packets that are built, booked and never sent: whoever acknowledges one did not wait for it (RFC 9000 section 21.4).

The RFC skips packet numbers. A client tells a skipped number from a loss: no bytes of its streams are missing there,
and the stamps count no packet. A withheld packet looks like any that the network lost, since until it is declared lost
everything on the server takes it for sent: stamps, window and pacer. Its data is sent again then, and the scheme is
told nothing (`PacketLedger.on_packets_discarded`).

An honest client pays with two retransmissions in a period, on average. One that hides its losses is found within a
period. A client under watch is found within 64 packets, and gets no more than the initial window until it has left one
unacknowledged.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from random import Random

from cc.core.base import INITIAL_WINDOW_PACKETS

FIRST_NUMBER = (
    1 + INITIAL_WINDOW_PACKETS
)  # a session's opening waits for none: its client may have said that it acks late
FIRST_PERIOD_PACKETS = 512  # what a new connection may draw unproven: 0.6 MB
LONGEST_PERIOD_PACKETS = 2048  # a liar who was honest for long draws no more than this, 2.5 MB, before it is found
WATCHED_PERIOD_PACKETS = 64  # of a client whose address is under watch, until it has shown that it waits
SURVIVALS_TO_TRUST = 4
LONGEST_WATCHED_PERIOD_PACKETS = 512
REMEMBERED = 64


class WithheldPackets:
    """Which packets of one connection are withheld, and what became of them.

    Each is drawn from a period, its first packet included: who has noticed one cannot rely on a pause before the next.
    """

    def __init__(self, rng: Random) -> None:
        """`rng`: what no peer may foretell."""
        self._rng = rng
        self._period_packets = FIRST_PERIOD_PACKETS
        self._longest_period_packets = LONGEST_PERIOD_PACKETS
        self._survivals_wanted = 0
        self._next_number = self._rng.randint(FIRST_NUMBER, self._period_packets)
        self._numbers: list[int] = []
        """In order; the last few, however long ago: a client that acknowledges ranges blindly covers old ones too."""
        self.survived = 0
        """How many the peer left unacknowledged although it acknowledged later ones."""

    def __contains__(self, number: int) -> bool:
        index = bisect_left(self._numbers, number)
        return index < len(self._numbers) and self._numbers[index] == number

    @property
    def window_limit_packets(self) -> int | None:
        """What may be in flight to a client under watch: doubled by each that survives; None for all others."""
        if self.survived >= self._survivals_wanted:
            return None
        return int(INITIAL_WINDOW_PACKETS * 2 ** (self.survived + SURVIVALS_TO_TRUST - self._survivals_wanted))

    def watch(self, *, next_number: int) -> None:
        """From the packet with this number on, withhold many until some have survived, and often after that."""
        self._period_packets = WATCHED_PERIOD_PACKETS
        self._longest_period_packets = LONGEST_WATCHED_PERIOD_PACKETS
        self._survivals_wanted = self.survived + SURVIVALS_TO_TRUST
        self._next_number = next_number + self._draw()

    def due_among(self, numbers: range) -> int | None:
        """The number among those of a flight that is to be withheld now; one that was missed is made up for."""
        if not numbers or self._next_number >= numbers.stop:
            return None
        return max(self._next_number, numbers.start)

    def add(self, number: int) -> None:
        """This one has been withheld."""
        self._numbers.append(number)
        del self._numbers[:-REMEMBERED]
        self._next_number = number + self._draw()

    def postpone(self, number: int) -> None:
        """This one cannot be withheld; another soon."""
        self._next_number = number + 1

    def on_lost(self) -> None:
        """One was declared lost, since later ones were acknowledged: its peer tells packets apart."""
        self.survived += 1
        if self.survived >= self._survivals_wanted:
            self._period_packets = min(2 * self._period_packets, self._longest_period_packets)

    def acknowledged_in(self, ack: Sequence[range]) -> int | None:
        """One that this ACK claims to have received; None for an ACK that may be true."""
        numbers = self._numbers
        if numbers and ack[0].start <= numbers[-1]:
            for acked in ack:
                index = bisect_left(numbers, acked.start)
                if index < len(numbers) and numbers[index] < acked.stop:
                    return numbers[index]
        return None

    def _draw(self) -> int:
        return self._rng.randint(1, self._period_packets)
