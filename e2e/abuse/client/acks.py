"""Ways to lie about what has arrived. All of them are `e2e.abuse.client.connection.AckForger`s.

Each is honest for its first packets: a connection that is not open draws nothing.
"""

from __future__ import annotations

import itertools
import random
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field

from aioquic.quic.rangeset import RangeSet

from cc.core.receiver_base import Stamp

HONEST_PACKETS = 32
"""The handshake and the session's opening take a dozen."""


class Forger:
    """Honest, and what the others share."""

    delay_s: float | None = None
    """For how long it claims to have had the largest; None tells the truth."""

    def on_stamp(self, stamp: Stamp, packet_number: int) -> None:
        """Says nothing to it."""

    def acknowledged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        """What has arrived, until there is enough to lie about."""
        if not received or received[-1].stop <= HONEST_PACKETS:
            return received
        return self.forged(received, now_s=now_s)

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        """The truth."""
        return received


@dataclass(slots=True)
class AcksAhead(Forger):
    """Acknowledges so many packets more than have arrived."""

    ahead_packets: int

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        *others, last = received
        return [*others, range(last.start, last.stop + self.ahead_packets)]


class HidesLosses(Forger):
    """Acknowledges every packet up to the largest that arrived."""

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        return [range(0, received[-1].stop)]


@dataclass(slots=True)
class HidesLossesLate(Forger):
    """Acknowledges the truth for so many packets, and then every packet up to the largest."""

    honest_packets: int

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        last = received[-1].stop
        return received if last <= self.honest_packets else [range(0, last)]


@dataclass(slots=True)
class HidesSomeLosses(Forger):
    """Acknowledges this share of the gaps, chosen at random; what it said of one it says again."""

    share: float
    rng: random.Random
    _hidden: dict[int, bool] = field(default_factory=dict)
    """By a gap's first number."""

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        claimed = RangeSet(received)
        for before, after in itertools.pairwise(received):
            if self._hidden.setdefault(before.stop, self.rng.random() < self.share):
                claimed.add(before.stop, after.start)
        return list(claimed)


@dataclass(slots=True)
class HidesBetrayedLosses(Forger):
    """Acknowledges the losses between two stamps whose packet numbers differ by as much as their `packets_sent`.

    Where numbers that were skipped are not counted as sent, none lies between these two.
    """

    _stamped: list[tuple[int, int]] = field(default_factory=list)

    def on_stamp(self, stamp: Stamp, packet_number: int) -> None:
        insort(self._stamped, (packet_number, stamp.packets_sent))

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        claimed = RangeSet(received)
        for (number, sent), (next_number, next_sent) in itertools.pairwise(self._stamped):
            if number < next_number < received[-1].stop and next_number - number == next_sent - sent:
                claimed.add(number, next_number + 1)
        return list(claimed)


class Never(Forger):
    """Acknowledges nothing more."""

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        return []


@dataclass(slots=True)
class Sparse(Forger):
    """Acknowledges one packet in so many, as if the others were lost."""

    one_in: int

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        numbers = (number for each in received for number in each)
        return [range(number, number + 1) for number in numbers if number % self.one_in == 0][-32:]


@dataclass(slots=True)
class Withholds(Forger):
    """Acknowledges nothing for so long, then all of it at once."""

    for_s: float
    _since_s: float = 0.0

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        if now_s < self._since_s + self.for_s:
            return []
        self._since_s = now_s
        return received


@dataclass(slots=True)
class Delays(Forger):
    """Claims to have had the largest packet for so long: the round trip looks shorter (RFC 9002 section 5.3)."""

    delay_s: float | None


@dataclass(slots=True)
class OneByOne(Forger):
    """Acknowledges the next packet that has arrived each time that it is told to, and else nothing."""

    is_due: bool = False
    _last: int = -1

    def forged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        number = next((max(each.start, self._last + 1) for each in received if each.stop > self._last + 1), None)
        if not self.is_due or number is None:
            return []
        self.is_due, self._last = False, number
        return [range(number, number + 1)]
