"""Whether others fill the queue, by what is left when this flow drains its part; a window that then holds a share.

- **Drain.** For as long as the path and its queue take, the receiver asks for a quarter of what the path alone holds.
  A young flow does so once: to one that comes late the queue that stood seems part of the path, and it would take more
  than its share. Later a flow drains where it has not seen the queue empty for long, or where a queue stands.
- **Verdict.** A queue of this flow's own is gone at the end of a drain. What is left is others'. Two drains in a row
  must say so: on links that vary the rate may fall in one. None begins a contest before what was in flight has
  arrived.
- **Contest.** Beside others who fill the queue, what is asked for grows by the clock, as Nuwa's does with the preset
  `compete`, and the sender's losses cut it. After a loss it soon grows to a quarter of what path and queue hold: the
  fair share beside three others. Two drains that leave at most a quarter of the queue end the contest.

The application's target delay bounds a flow's own queue. One that others keep stands whatever this flow leaves to them:
to give way would cost a share and shorten nothing. A contest grows up to the longest queue that stood before it or a
loss, a second at most, or to the target delay, which the preset `compete` has longer than any queue. Below a quarter of
what path and queue hold it grows however long the queue is: that is not its own. Where the queue or the round trip is
longer than that second, a flow outside of a contest does not drain.

Where a queue stood from the beginning it seems too short by that. The sender's round trip tells by how much; but it is
smoothed, and lags behind a link that varies. So the least that it has told since the last verdict counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cc.core.base import MINIMUM_WINDOW_PACKETS
from cc.core.receiver_base import Stamp
from cc.receiver.window_receiver import clock_factor, within_reach_packets
from cc.sender.receiver_driven import LOSS_REDUCTION_FACTOR

FIRST_DRAIN_S = 1.5  # after slow start
UNSEEN_S = 10.0  # without an empty queue, as Nuwa's DRAIN_AFTER_S
STANDING_S = 3.0  # a queue that was never shorter stands
STANDING_QUEUE_S = 0.020  # above what a flow's own packets make
STANDING_PACKETS = 6.0  # of a slow link: so many packets are its own
RATE_MEMORY_S = 60.0  # of the largest rate: others' share is not to make the link seem slow
LONGEST_QUEUE_S = 1.0
DRAIN_SHARE = 0.25  # of what the path holds without a queue
REFILL_RTTS = 2
TELLING_SHARE = 0.5  # of the window: a drain to more than that proves nothing, since next to nothing of it goes
GONE_S = 0.010
ARRIVED_SHARE = 0.75  # of what was in flight when the drain began
PATIENCE_S = 1.0
LEFT_SHARE = 0.5  # of the queue: more is others'
LEFT_IN_CONTEST_SHARE = 0.25  # where this flow's own part is larger
VERDICTS = 2
SOON_SHARE = 0.25  # of what path and queue hold, at the largest rate
AGAIN_S = 0.5  # until the second drain
CONTEST_DRAIN_S = 20.0
GROWTH_PACKETS = 1.6  # a round trip


@dataclass(frozen=True, slots=True)
class Sight:
    """What the receiver sees with a stamp."""

    now_s: float
    queue_s: float
    empty_seen_s: float
    """When the queue was last empty."""
    rate_bytes_per_s: float
    own_packets: float
    """The window that the scheme has of itself."""
    new_packets: int
    """Since the last stamp."""


class Contest:
    """Drains, judges, and holds the window of a contest."""

    def __init__(self, own_queue_s: float) -> None:
        """`own_queue_s` is what the application lets the flow keep in the queue by itself."""
        self._own_queue_s = own_queue_s
        self._window_packets: float | None = None
        """What is asked for in a contest; None outside."""
        self._held_packets = self._drain_packets = 0.0
        self._sent_bytes = 0
        self._in_flight_bytes = 0.0
        """When the drain began: what had been sent, and what was on its way, at the most."""
        self._hidden_s = math.inf
        """Least delay by which the queue has seemed too short since the last verdict."""
        self._drain_until_s: float | None = None
        self._refill_until_s: float | None = None
        self._drained_s: float | None = None
        """When the last drain began; before the first one, when the flow was first seen."""
        self._has_drained = False
        self._is_reference_new = False
        """Whether a clock's step has made it that of the queue that stands: the next drain proves nothing."""
        self._is_telling = False
        """Whether the queue that is drained stood, and the drain takes enough from it for its end to say something."""
        self._total_s = 0.0
        """Queueing delay with what the reference of a queue that stood leaves out."""
        self._before_s = self._least_s = 0.0
        self._highest_s = 0.0
        """The longest queue since the last verdict."""
        self._contested_s = 0.0
        """The longest queue before the last verdict."""
        self._soon_packets = 0.0
        """Window up to which it doubles in a round trip."""
        self._standing_since_s: float | None = None
        self._standing_from_s = STANDING_QUEUE_S
        self._standing_packets = 0.0
        """The window when the queue began to stand."""
        self._largest_bytes_per_s = 0.0
        self._seen_s = 0.0
        self._contrary_verdicts = 0

    @property
    def is_on(self) -> bool:
        """Whether others fill the queue, and a share of it is held."""
        return self._window_packets is not None

    @property
    def longest_queue_s(self) -> float:
        """Queueing delay up to which this flow asks for more: the application's target, or what a contest goes to."""
        return max(self._contested_s, self._own_queue_s) if self.is_on else self._own_queue_s

    @property
    def is_draining(self) -> bool:
        """Whether the queue is being drained or filled again: what is measured then says nothing of the link."""
        return self._drain_until_s is not None or self._refill_until_s is not None

    def begin_anew(self, stamp: Stamp) -> None:
        """Go on from the sender's window: a loss has cut it, and shows in a contest how long others make the queue."""
        if self._window_packets is not None:
            held_packets = LOSS_REDUCTION_FACTOR * self._held_packets if self.is_draining else 0.0
            self._window_packets = max(stamp.cwnd_bytes / stamp.max_datagram_bytes, held_packets)
            self._contested_s = max(self._contested_s, min(self._highest_s, LONGEST_QUEUE_S))
            self._soon_packets = SOON_SHARE * self._full_packets(stamp, self._contested_s)
        self._drain_until_s = self._refill_until_s = None
        self._standing_since_s = None

    def drain_anew(self) -> None:
        """Drain with the next stamp: what is known of the queue is of another clock."""
        self._drained_s, self._has_drained, self._is_reference_new = -math.inf, False, True
        self._hidden_s, self._highest_s = math.inf, 0.0

    def asked_packets(self, own_packets: float) -> float:
        """What to ask for, where the scheme would ask for its own window."""
        if self._drain_until_s is not None:
            return min(self._drain_packets, own_packets)
        if self._refill_until_s is not None:
            return self._held_packets
        return own_packets if self._window_packets is None else max(own_packets, self._window_packets)

    def on_stamp(self, stamp: Stamp, sight: Sight) -> None:
        """Drain when due, judge what was drained, grow in a contest."""
        self._drained_s = sight.now_s if self._drained_s is None else min(self._drained_s, sight.now_s)
        self._watch_standing(stamp, sight)
        if self.is_draining:
            self._go_on_draining(stamp, sight)
            return
        if stamp.is_app_limited or stamp.min_rtt_s is None:
            return
        round_trip_s = stamp.smoothed_rtt_s or 0.0
        self._hidden_s = min(self._hidden_s, max(0.0, round_trip_s - stamp.min_rtt_s - sight.queue_s))
        if self._window_packets is not None:
            fair_packets = SOON_SHARE * self._full_packets(stamp, sight.queue_s)
            if sight.queue_s < self.longest_queue_s or self._window_packets < fair_packets:
                self._window_packets = self._grown_packets(stamp, sight.new_packets, self._window_packets)
        if (self.is_on or max(sight.queue_s, round_trip_s) <= LONGEST_QUEUE_S) and self._is_due(sight):
            self._drain(stamp, sight, stamp.min_rtt_s)

    def _full_packets(self, stamp: Stamp, queue_s: float) -> float:
        """What the path and so long a queue hold, at the largest rate that was seen; a second of queue at most."""
        full_s = (stamp.min_rtt_s or 0.0) + min(queue_s, LONGEST_QUEUE_S)
        return self._largest_bytes_per_s * full_s / stamp.max_datagram_bytes

    def _grown_packets(self, stamp: Stamp, new_packets: int, window_packets: float) -> float:
        """The window grown by the clock, or doubled in a round trip."""
        step = GROWTH_PACKETS * clock_factor(stamp)
        if window_packets < self._soon_packets:
            step = window_packets
        return within_reach_packets(window_packets + new_packets * step / window_packets, stamp)

    def _contest_up_to_highest(self) -> None:
        self._contested_s, self._highest_s = min(self._highest_s, LONGEST_QUEUE_S), 0.0

    def _watch_standing(self, stamp: Stamp, sight: Sight) -> None:
        fading = math.exp(-max(0.0, sight.now_s - self._seen_s) / RATE_MEMORY_S)
        self._largest_bytes_per_s = max(sight.rate_bytes_per_s, self._largest_bytes_per_s * fading)
        self._seen_s = sight.now_s
        if self._standing_since_s is None:
            largest = self._largest_bytes_per_s
            own_s = STANDING_PACKETS * stamp.max_datagram_bytes / largest if largest > 0 else 0.0
            self._standing_from_s = STANDING_QUEUE_S + own_s
        if sight.queue_s < self._standing_from_s or stamp.is_app_limited:
            self._standing_since_s = None
        elif self._standing_since_s is None:
            self._standing_since_s = sight.now_s
            self._standing_packets = sight.own_packets
        self._highest_s = max(self._highest_s, sight.queue_s)

    def _is_due(self, sight: Sight) -> bool:
        since_s = sight.now_s - (self._drained_s or 0.0)
        if self._contrary_verdicts > 0:
            return since_s >= AGAIN_S
        if self._window_packets is not None:
            return since_s >= CONTEST_DRAIN_S
        if not self._has_drained:
            return since_s >= FIRST_DRAIN_S
        standing_s = 0.0 if self._standing_since_s is None else sight.now_s - self._standing_since_s
        if min(since_s, standing_s) >= STANDING_S:
            return True
        return min(since_s, sight.now_s - sight.empty_seen_s) >= UNSEEN_S

    def _drain(self, stamp: Stamp, sight: Sight, round_trip_s: float) -> None:
        self._before_s = self._least_s = sight.queue_s
        beyond_s = max(0.0, (stamp.smoothed_rtt_s or 0.0) - round_trip_s - sight.queue_s)
        self._total_s = sight.queue_s + (beyond_s if self.is_on else min(beyond_s, self._hidden_s))
        self._held_packets = self.asked_packets(sight.own_packets)
        path_packets = sight.rate_bytes_per_s * round_trip_s / stamp.max_datagram_bytes
        self._drain_packets = max(float(MINIMUM_WINDOW_PACKETS), DRAIN_SHARE * path_packets)
        stands = self.is_on or sight.queue_s >= self._standing_from_s
        tells = stands and not self._is_reference_new
        self._is_telling = tells and self._drain_packets <= TELLING_SHARE * self._held_packets
        self._is_reference_new = False
        stands_s = (
            sight.queue_s if self._has_drained else self._total_s
        )  # at first the reference may be that of a queue
        self._drain_until_s = sight.now_s + round_trip_s + stands_s
        self._sent_bytes = stamp.bytes_sent
        self._in_flight_bytes = min(self._held_packets * stamp.max_datagram_bytes, stamp.cwnd_bytes)
        self._drained_s = sight.now_s
        self._has_drained = True

    def _go_on_draining(self, stamp: Stamp, sight: Sight) -> None:
        self._least_s = min(self._least_s, sight.queue_s)
        if self._drain_until_s is not None:
            if self._is_over(stamp, sight, self._drain_until_s):
                self._drain_until_s = None
                self._refill_until_s = sight.now_s + REFILL_RTTS * (stamp.min_rtt_s or 0.0) + sight.queue_s
        elif self._refill_until_s is not None and sight.now_s >= self._refill_until_s:
            self._refill_until_s = None
            if self._is_telling:
                self._judge()
            else:
                self._contrary_verdicts = 0  # the queue that one drain had left stands no more
            if self._contrary_verdicts == 0:
                self._hidden_s = math.inf

    def _is_over(self, stamp: Stamp, sight: Sight, until_s: float) -> bool:
        """Whether the drain is. It begins no contest before what was in flight has arrived: the link may pause."""
        if self._is_telling and self._least_s < GONE_S:
            return True
        if sight.now_s < until_s:
            return False
        has_arrived = self.is_on or stamp.bytes_sent - self._sent_bytes >= ARRIVED_SHARE * self._in_flight_bytes
        if self._is_telling and not has_arrived:
            if sight.now_s < until_s + PATIENCE_S:
                return False
            self._is_telling = False
        return True

    def _judge(self) -> None:
        left_s = self._total_s - (self._before_s - self._least_s)
        share = LEFT_IN_CONTEST_SHARE if self.is_on else LEFT_SHARE
        is_others = left_s > max(GONE_S, share * self._total_s)
        if is_others == self.is_on:
            self._contrary_verdicts = 0
            self._contest_up_to_highest()
            return
        self._contrary_verdicts += 1
        if self._contrary_verdicts < VERDICTS:
            return
        self._contrary_verdicts = 0
        self._contest_up_to_highest()
        self._soon_packets = 0.0
        self._window_packets = None if self.is_on else max(self._held_packets, self._standing_packets)
