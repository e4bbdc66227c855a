"""What flows send, flow by flow and then one behind the other, as it enters the bottleneck."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import final

from cc.core.receiver_base import Stamp
from cc.links.clock import LinkClock


@final
class Flight:
    """Packets of one flow with consecutive numbers, that leave one after the other."""

    __slots__ = ("first_number", "has_marks", "marks_steps", "sent_s", "sizes_bytes", "stamps")

    def __init__(self, first_number: int, *, marks_steps: bool) -> None:
        """`marks_steps`: whether the order of those that are due at once must be known."""
        self.first_number = first_number
        self.marks_steps = marks_steps
        self.has_marks = False
        self.sizes_bytes: list[int] = []
        """Sizes of what leaves; 0 bytes are a mark: a step begins, see `end_step`."""
        self.sent_s: list[float] = []
        """When each packet leaves."""
        self.stamps: list[tuple[int, Stamp]] = []
        """The stamps and the numbers of the packets that carry them."""

    def end_step(self, begin: int, now_s: float) -> None:
        """Mark that something was due at `now_s`, where packets do not show it; what left is here from `begin` on.

        That is where nothing left at that instant, or something did already in the step before.
        """
        sent_s = self.sent_s
        shows = begin < len(sent_s) and sent_s[begin] == now_s and (begin == 0 or sent_s[begin - 1] != now_s)
        if not shows:
            sent_s.insert(begin, now_s)
            self.sizes_bytes.insert(begin, 0)
            self.has_marks = True

    def drop_marks(self) -> None:
        """Leave the packets alone."""
        if self.has_marks:
            sizes_bytes = self.sizes_bytes
            self.sent_s = [sent_s for sent_s, size in zip(self.sent_s, sizes_bytes, strict=True) if size > 0]
            self.sizes_bytes = [size for size in sizes_bytes if size > 0]
            self.has_marks = False


@final
class Entry:
    """Packets of several flows in the order in which they reach the queue."""

    __slots__ = ("entered_s", "owners", "sizes_bytes")

    def __init__(self) -> None:
        self.owners: list[int] = []
        """Whose flight of those that were merged each is of."""
        self.sizes_bytes: list[int] = []
        self.entered_s: list[float] = []


@final
class Turns:
    """Whose turn it is of flows to which something happens at once.

    Acknowledgements come in lumps, a millisecond each, and who is always first to answer them finds room in a full
    queue where the others do not (Floyd, Jacobson: On Traffic Phase Effects in Packet-Switched Gateways, 1992). So who
    has had a turn while others waited for theirs is the last of the next ones.
    """

    __slots__ = ("_last", "_turns")

    def __init__(self, flows: int) -> None:
        self._turns = list(range(flows))
        self._last = flows

    def first(self, flows: Sequence[int]) -> int:
        """The first of these, by their numbers."""
        return min(flows, key=self._turns.__getitem__)

    def end(self, flow: int) -> None:
        """It had its turn while others waited."""
        self._turns[flow] = self._last
        self._last += 1

    def merge(self, flows: Sequence[int], flights: Sequence[Flight], clock: LinkClock | None) -> Entry:
        """One flight of each flow, none empty, as the packets reach the queue."""
        entry = Entry()
        if len(flights) == 1:
            flights[0].drop_marks()
            entry.sizes_bytes, entry.entered_s = flights[0].sizes_bytes, flights[0].sent_s
            entry.owners = [0] * len(entry.sizes_bytes)
        else:
            self._merge(flows, flights, entry)
        if clock is not None:
            entry.entered_s = [clock.entered_s(sent_s) for sent_s in entry.entered_s]
        return entry

    def _merge(self, flows: Sequence[int], flights: Sequence[Flight], entry: Entry) -> None:
        turns = self._turns
        owners, sizes_bytes, entered_s = entry.owners, entry.sizes_bytes, entry.entered_s
        heads = [0] * len(flights)
        dues_s = [flight.sent_s[0] for flight in flights]
        while True:
            first, first_s, others_s = -1, math.inf, math.inf
            for index, due_s in enumerate(dues_s):
                if due_s < first_s:
                    first, first_s, others_s = index, due_s, first_s
                elif due_s < others_s:
                    others_s = due_s
                    if due_s == first_s and turns[flows[index]] < turns[flows[first]]:
                        first = index
                elif due_s == first_s < math.inf and turns[flows[index]] < turns[flows[first]]:
                    first = index
            if first < 0:
                break
            flight, head = flights[first], heads[first]
            sent_s, sizes = flight.sent_s, flight.sizes_bytes
            end = len(sent_s)
            is_tie = others_s == first_s
            if is_tie:
                self.end(flows[first])
            begin = head
            while head < end:
                time_s, size = sent_s[head], sizes[head]
                if head > begin and (time_s >= others_s if not is_tie else time_s > first_s or size == 0):
                    break
                if size > 0:
                    owners.append(first)
                    sizes_bytes.append(size)
                    entered_s.append(time_s)
                head += 1
            heads[first] = head
            dues_s[first] = sent_s[head] if head < end else math.inf
