"""The way from a receiver to its sender: the uplink's opportunities, then a delay."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from cc.links.clock import LinkClock
from cc.links.link import SEEK_MARGIN_MS, check_trace


class WayBack:
    """When ACKs and feedback arrive, which wait for an opportunity but are too small to use one up."""

    def __init__(
        self, delay_s: float, *, opportunities_ms: Sequence[int] | None = None, clock: LinkClock | None = None
    ) -> None:
        """`opportunities_ms`: the uplink's trace; None only delays. Raises ValueError for one that mahimahi refuses."""
        if opportunities_ms is not None:
            check_trace(opportunities_ms)
        self.delay_s = delay_s
        """The least delay of the way back."""
        self._opportunities_ms = opportunities_ms
        self._clock = clock

    def arrival_s(self, sent_s: float) -> float:
        """When what the receiver sends at `sent_s` reaches the sender; never before what was sent earlier."""
        if self._opportunities_ms is None:
            return sent_s + self.delay_s
        left_s = self._next_opportunity_s(sent_s, self._opportunities_ms)
        late_s = 0.0 if self._clock is None else self._clock.late_s(left_s)
        return left_s + self.delay_s + late_s

    @staticmethod
    def _next_opportunity_s(after_s: float, opportunities_ms: Sequence[int]) -> float:
        """Later than `after_s`, as for the packets of `cc.links.link.LinkQueue`."""
        cycle, rest_ms = divmod(after_s * 1000 + SEEK_MARGIN_MS, opportunities_ms[-1])
        index = bisect_right(opportunities_ms, rest_ms)
        if index == len(opportunities_ms):
            cycle, index = cycle + 1, 0
        return (int(cycle) * opportunities_ms[-1] + opportunities_ms[index]) / 1000
