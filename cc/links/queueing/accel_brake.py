"""ABC's router: tells senders to accelerate or to brake (Goyal et al., NSDI 2020, section 3 and algorithm 1).

With the link's capacity mu, the rate cr at which packets leave and the queueing delay x, the router wants the rate
`tr = eta mu - mu / delta (x - d_t)^+`. A sender answers an accelerate with two packets and a brake with none, so the
fraction of accelerates is `f = min(tr / (2 cr), 1)`; a token bucket makes fractions of packets.

Parameters are those of the authors' queue for mahimahi and the script that ran it. Deviations:

- The capacity is what the trace offered during the last 20 ms; theirs counts how often the link asked for a packet.
- Theirs computes f from eta cr instead of eta mu and makes up for it with 0.49 tokens for each unused opportunity,
  which comes to the same. This follows the paper.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from cc.links.link import QueueLimit
from cc.links.queueing.discipline import ROUNDING_S, Discipline, DropTail, Mark, QueuedPacket
from cc.links.traces.capacity import offered_bytes

ETA = 0.98
DELTA_S = 0.133
DELAY_THRESHOLD_S = 0.050  # d_t
MEASURING_S = 0.020
TOKEN_LIMIT = 5.0

TokenT = TypeVar("TokenT")


class AccelBrake(DropTail[TokenT]):
    """A droptail queue that marks what leaves."""

    def __init__(
        self,
        limit: QueueLimit | None = None,
        *,
        offered_bytes: Callable[[float], int],
        delay_threshold_s: float = DELAY_THRESHOLD_S,
        delta_s: float = DELTA_S,
    ) -> None:
        """`offered_bytes`: what the link could have carried from time 0 until then, on the wire."""
        super().__init__(limit)
        self._offered_bytes = offered_bytes
        self._delay_threshold_s = delay_threshold_s
        self._delta_s = delta_s
        self._left: deque[tuple[float, int]] = deque()
        self._left_bytes = 0
        """Size of the packets that left during the last `MEASURING_S`."""
        self._tokens = TOKEN_LIMIT

    def leave(self, *, now_s: float) -> QueuedPacket[TokenT] | None:
        packet = self._take()
        if packet is None:
            return None
        self._count(packet.wire_bytes, now_s)
        self._tokens = min(self._tokens + self.accelerate_fraction(packet.wire_bytes, now_s=now_s), TOKEN_LIMIT)
        if self._tokens > 1:
            self._tokens -= 1
            packet.mark = Mark.ACCELERATE
        else:
            packet.mark = Mark.BRAKE
        return packet

    def accelerate_fraction(self, leaving_bytes: int, *, now_s: float) -> float:
        """Equation 2, f(t), when a packet of `leaving_bytes` has just left the queue."""
        window_s = min(MEASURING_S, now_s)
        capacity_bytes_per_s = (self._offered_bytes(now_s) - self._offered_bytes(now_s - window_s)) / window_s
        delay_s = (self.wire_bytes + leaving_bytes) / capacity_bytes_per_s
        excess_s = max(0.0, delay_s - self._delay_threshold_s)
        target_bytes_per_s = capacity_bytes_per_s * (ETA - excess_s / self._delta_s)
        dequeue_bytes_per_s = self._left_bytes / window_s
        return min(max(target_bytes_per_s / (2 * dequeue_bytes_per_s), 0.0), 1.0)

    def _count(self, wire_bytes: int, now_s: float) -> None:
        self._left.append((now_s, wire_bytes))
        self._left_bytes += wire_bytes
        while self._left[0][0] <= now_s - MEASURING_S + ROUNDING_S:
            self._left_bytes -= self._left.popleft()[1]


DISCIPLINE = Discipline(
    "abc",
    lambda limit, opportunities_ms, _rng: AccelBrake(limit, offered_bytes=partial(offered_bytes, opportunities_ms)),
    marks=True,
)
