"""What a player's need makes of a receiver's window and target delay.

Source: B. Spang et al., "Sammy: smoothing video traffic to be a friendly internet neighbor", SIGCOMM 2023: it paces at
3 times the highest rung with an empty buffer and at 1.5 times with a full one.

Differences from Sammy, each with its reason:

- The receiver bounds its window, by the rate times the round trip. So no server has to be told.
- Below `SHORT_SHARE` of a buffer there is no bound. So start-up and a buffer in danger have all that the link has, and
  the bandwidth is measured whole there.
- The round trip counts up to the target delay of queue: behind a longer one the window is lowered anyway.
- The target delay falls, too, with a buffer that fills, as long as the link is known to carry the bound. On a slower
  one, or beside others who fill the queue, a short target would cost the film its rung whatever is buffered.

While the window is held to the bound, what is delivered says what the link carries at least. Such samples raise the
estimate and never lower it. Where the link is slower than the bound, a queue grows to the target, the window falls
below the bound, and samples count again.
"""

from __future__ import annotations

from cc.core.base import INITIAL_WINDOW_PACKETS
from cc.core.receiver_base import Need, Stamp
from cc.receiver.bandwidth import RATE_WINDOW_S

LIFETIME_S = 2.0
"""A need's life: without another for so long the player is gone."""
SHORT_SHARE = 0.25
"""Share of a full buffer; with less there is no bound."""
SHORT_GAIN = 3.0
"""The bound is so many times the wanted rate where the buffer is just not short, ..."""
FULL_GAIN = 1.5
"""... and where it is full."""
ACK_RTT_SHARE = 1 / 4
"""Share of the shortest round trip: a browser's ACKs wait for so long (`cc.core.ack_policy`), which RTTs leave out."""
FULL_TARGET_SHARE = 0.5
"""Share of the target delay, with a full buffer."""


class NeedWatch:
    """The newest need, and what it comes to at a time."""

    def __init__(self) -> None:
        self._need: Need | None = None
        self._told_s = 0.0
        self._held_until_s: float | None = None

    def tell(self, need: Need, *, now_s: float) -> None:
        """Replaces the one before."""
        self._need = need
        self._told_s = now_s

    def bound_bytes_per_s(self, *, now_s: float) -> float | None:
        """The rate that the window may carry; None: as much as there is."""
        ease = self._ease(now_s)
        if ease is None or self._need is None or self._need.rate_bytes_per_s is None:
            return None
        return (SHORT_GAIN + (FULL_GAIN - SHORT_GAIN) * ease) * self._need.rate_bytes_per_s

    def target_share(self, bandwidth_bytes_per_s: float | None, *, now_s: float) -> float:
        """What is left of the target delay, where the link has so much bandwidth."""
        ease, bound = self._ease(now_s), self.bound_bytes_per_s(now_s=now_s)
        if ease is None or bound is None or bandwidth_bytes_per_s is None or bandwidth_bytes_per_s < bound:
            return 1.0
        return 1.0 + (FULL_TARGET_SHARE - 1.0) * ease

    def bound_packets(self, stamp: Stamp, *, most_queue_s: float, now_s: float) -> float | None:
        """The window that carries the bound; at least an initial window, so that short round trips are no hindrance."""
        rate = self.bound_bytes_per_s(now_s=now_s)
        if rate is None or stamp.min_rtt_s is None or stamp.smoothed_rtt_s is None:
            return None
        round_trip_s = min(stamp.smoothed_rtt_s, stamp.min_rtt_s + most_queue_s) + ACK_RTT_SHARE * stamp.min_rtt_s
        return max(float(INITIAL_WINDOW_PACKETS), rate * round_trip_s / stamp.max_datagram_bytes)

    def hold(self, stamp: Stamp, *, now_s: float) -> None:
        """The window is at its bound: so are the rates of a round trip, and of the time over which they are taken."""
        self._held_until_s = now_s + RATE_WINDOW_S + (stamp.smoothed_rtt_s or 0.0)

    def is_held(self, *, now_s: float) -> bool:
        """Whether rates that are measured now may be the bound's."""
        return self._held_until_s is not None and now_s < self._held_until_s

    def _ease(self, now_s: float) -> float | None:
        """How full the buffer is, from 0, just not short, to 1, full; None where it is short or nobody tells."""
        need = self._need
        if need is None or now_s - self._told_s > LIFETIME_S:
            return None
        share = need.buffer_s / need.full_buffer_s
        if share < SHORT_SHARE:
            return None
        return min(1.0, (share - SHORT_SHARE) / (1.0 - SHORT_SHARE))
