"""When bytes that are asked for can have arrived at the soonest, over a link whose future is known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cc.links.link import OPPORTUNITY_BYTES, OVERHEAD_BYTES

Times = NDArray[np.float64]
"""ms."""


class KnownLink:
    """A trace that repeats. A sender that wastes nothing uses every opportunity from the request's arrival on."""

    def __init__(
        self, opportunities_ms: Sequence[int], *, delay_ms: float, datagram_bytes: int, payload_share: float
    ) -> None:
        """`delay_ms` is each way; `payload_share` of a datagram's UDP payload is a file's bytes."""
        self._opportunities_ms = np.asarray(opportunities_ms, dtype=np.int64)
        self._period_ms = int(self._opportunities_ms[-1])
        self._before = np.searchsorted(self._opportunities_ms, np.arange(self._period_ms), side="right")
        """Opportunities until each ms of the period, that one included."""
        self.delay_ms = delay_ms
        self._payload_share = payload_share
        self._datagram_bytes = datagram_bytes

    def opportunities_of(self, size_bytes: int) -> int:
        """That a file of this size takes; what is left of the last one is not counted."""
        payload_bytes = math.ceil(size_bytes / self._payload_share)
        wire_bytes = payload_bytes * (self._datagram_bytes + OVERHEAD_BYTES)  # times a datagram's: no rounding
        return -(-wire_bytes // (self._datagram_bytes * OPPORTUNITY_BYTES))

    def passed(self, at_ms: Times) -> NDArray[np.int64]:
        """Opportunities from the trace's time 0 until these times, those at that instant included."""
        cycles, rest_ms = np.divmod(np.floor(at_ms).astype(np.int64), self._period_ms)
        whole: NDArray[np.int64] = cycles * len(self._opportunities_ms) + self._before[rest_ms]
        return whole

    def arrivals_ms(self, asked_ms: Times, opportunities: int) -> Times:
        """When so many opportunities have been used for what is asked for at these times."""
        last = self.passed(asked_ms + self.delay_ms) + opportunities - 1
        cycles, place = np.divmod(last, len(self._opportunities_ms))
        arrivals_ms = cycles * self._period_ms + self._opportunities_ms[place]
        return arrivals_ms.astype(np.float64) + self.delay_ms
