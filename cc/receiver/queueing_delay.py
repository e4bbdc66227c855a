"""One-way queueing delay from stamps (the paper's equations 1 to 4; `cc.receiver.nuwa` names it).

Deviations from the paper, each with its reason:

- Equation 1 is used with the sign that its own text and algorithm 1 need: a longer queue gives a larger D_c.
- The reference is the smallest one-way delay of a sliding window, not of the whole session: clock drift (100 ppm is
  6 ms a minute) and route changes would otherwise stay in the measurement for ever.
- Q_d is never more than `NOISE_BOUND_S` above D_c: scheduling only ever adds delay, so a small D_c proves a short
  queue. Without this the filter still saw 200 ms when an outage's queue had just drained, and the window fell to two
  packets.
- A host that is late notices an arrival too late, by no more than it is late. D_c is then the least that the delay can
  have been, and Q_d stays as it is while it lies between that and what was noticed: lateness alone is no queue, and a
  queue that is longer than the host is late is seen. The reference is made of what was noticed, which is never too
  little.
- The paper does not give the noise of equations 2 and 3; the constants below were chosen on generated links.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

REFERENCE_WINDOW_S = 30.0  # long enough to contain an empty queue, short enough for 100 ppm of drift (3 ms)
MEASUREMENT_VARIANCE_S2 = 0.003**2  # scheduling noise of a browser's worker
QUEUE_VARIANCE_S2_PER_S = 4.2e-4  # a gain of about 0.3 at the usual stamp interval of 3.4 ms
INVERSE_CAPACITY_VARIANCE_PER_S = 1e-9**2  # (s/byte)^2 per s: capacity as seen by equation 2 moves slowly
INITIAL_INVERSE_CAPACITY_VARIANCE = 1e-7**2
INITIAL_QUEUE_VARIANCE_S2 = 0.005**2
NOISE_BOUND_S = 0.005
EMPTY_QUEUE_S = 0.002  # a raw delay within this of the reference confirms it
STANDING_QUEUE_S = (0.004, 0.016)  # RFC 9406's MIN and MAX_RTT_THRESH, applied to the one-way queueing delay
STANDING_QUEUE_RTT_SHARE = 1 / 8  # RFC 9406's MIN_RTT_DIVISOR


@dataclass(frozen=True, slots=True)
class _Reference:
    received_time_s: float
    one_way_delay_s: float
    group_bytes: int


class QueueingDelay:
    """Raw (D_c) and filtered (Q_d) queueing delay, one stamp at a time."""

    def __init__(self, *, confirmed_time_s: float = 0.0) -> None:
        self.raw_s = 0.0
        self.most_s = 0.0
        """What was noticed; raw_s is the same less what the host may have been late."""
        self.filtered_s = 0.0
        self.inverse_capacity_s_per_byte = 0.0
        self.confirmed_time_s = confirmed_time_s
        """When the queue was last seen empty, on the receiver's clock."""
        self.undercut_s = 0.0
        """Seconds by which the newest stamp's one-way delay was below the reference before it."""
        self._references: deque[_Reference] = deque()
        self._last_received_time_s: float | None = None
        self._last_bytes_sent = 0
        self._p00 = INITIAL_INVERSE_CAPACITY_VARIANCE
        self._p01 = 0.0
        self._p11 = INITIAL_QUEUE_VARIANCE_S2

    def on_stamp(self, *, send_time_s: float, received_time_s: float, bytes_sent: int, late_s: float = 0.0) -> None:
        """Take one stamp, in order of sequence; `bytes_sent` is the sender's running total.

        It arrived at `received_time_s`, or up to `late_s` before.
        """
        first = self._last_received_time_s is None
        group_bytes = 0 if first else bytes_sent - self._last_bytes_sent
        elapsed_s = 0.0
        if self._last_received_time_s is not None:
            elapsed_s = max(0.0, received_time_s - self._last_received_time_s)
        self._last_received_time_s = received_time_s
        self._last_bytes_sent = bytes_sent

        self._slide_references(_Reference(received_time_s, received_time_s - send_time_s, group_bytes))
        reference = self._references[0]
        most_s = (received_time_s - send_time_s) - reference.one_way_delay_s  # eq. 1
        self.most_s = most_s
        self.raw_s = max(0.0, most_s - late_s)
        if most_s <= EMPTY_QUEUE_S:
            self.confirmed_time_s = received_time_s
        self._filter(self.raw_s, most_s, group_bytes - reference.group_bytes, elapsed_s)

    @property
    def likely_s(self) -> float:
        """D_c of a host in time; of a late one, what the filter expects within what it can have been."""
        return max(self.raw_s, min(self.filtered_s, self.most_s))

    def _slide_references(self, newest: _Reference) -> None:
        references = self._references
        self.undercut_s = max(0.0, references[0].one_way_delay_s - newest.one_way_delay_s) if references else 0.0
        while references and references[-1].one_way_delay_s >= newest.one_way_delay_s:
            references.pop()
        references.append(newest)
        oldest_s = newest.received_time_s - REFERENCE_WINDOW_S
        while references[0].received_time_s < oldest_s:
            references.popleft()

    def _filter(self, least_s: float, most_s: float, delta_bytes: int, elapsed_s: float) -> None:
        """Two-state Kalman filter: eta = [1/B, Q_d], H = [dM, 1] (eq. 2 to 4)."""
        p00 = self._p00 + INVERSE_CAPACITY_VARIANCE_PER_S * elapsed_s
        p01 = self._p01
        p11 = self._p11 + QUEUE_VARIANCE_S2_PER_S * elapsed_s

        ph0 = p00 * delta_bytes + p01
        ph1 = p01 * delta_bytes + p11
        innovation_variance = delta_bytes * ph0 + ph1 + MEASUREMENT_VARIANCE_S2
        gain0 = ph0 / innovation_variance
        gain1 = ph1 / innovation_variance
        expected_s = delta_bytes * self.inverse_capacity_s_per_byte + self.filtered_s
        innovation_s = max(least_s, min(expected_s, most_s)) - expected_s

        self.inverse_capacity_s_per_byte = max(0.0, self.inverse_capacity_s_per_byte + gain0 * innovation_s)
        filtered_s = self.filtered_s + gain1 * innovation_s
        self.filtered_s = max(0.0, min(filtered_s, most_s + NOISE_BOUND_S))
        self._p00 = p00 - gain0 * ph0
        self._p01 = p01 - gain0 * ph1
        self._p11 = p11 - gain1 * ph1


def least_standing_delay_s(min_rtt_s: float) -> float:
    """Delay from which on a queue stands, on a path of this round trip; below it is noise (RFC 9406 section 4.2)."""
    lowest_s, highest_s = STANDING_QUEUE_S
    return min(highest_s, max(lowest_s, STANDING_QUEUE_RTT_SHARE * min_rtt_s))
