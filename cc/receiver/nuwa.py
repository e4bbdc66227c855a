"""Nuwa: the receiver measures its queueing delay and works out the sender's window.

Source: X. Jiang, G. Gong, G. Jin, "Combining Heuristic and Reinforcement Learning to Achieve the Low-latency and
High-throughput Receiver-side Congestion Control", section IV, equations 1 to 6 ("the paper" in this folder).

Deviations from the paper, each with its reason:

- The window moves per packet *announced by a stamp*, not per ACK: a browser does not see packets. The stamps count
  the packets sent, so a lost stamp loses nothing.
- The receiver also ends slow start, because it sees the queue half a round trip before the sender does: as soon as no
  stamp of a quarter of a round trip was without delay (a burst alone delays some of them). It asks for the window
  that the bottleneck's measured rate fills in a round trip without queue, and half of the target delay on top.
- While the sender is application-limited the window does not grow (RFC 9002 section 7.8). When the sender resets its
  window (a new epoch: loss, path change) the receiver starts again from the sender's window.
- The target falls with the logarithm of the window, by rho / 2 for each factor e, and is T_d at 64 packets. Eq. 6
  adds and subtracts alike whatever the window, so that of two flows with one T_d none would ever gain on the other;
  so the larger window aims at the shorter queue, and they meet where both are the same.
- Above a round trip of 0.2 s (`cc.receiver.window_receiver`) the window grows by the clock, k packets each such time,
  as CUBIC's does: beside it in a deep queue Nuwa would otherwise get the less the longer the queue is.
- Once in `DRAIN_AFTER_S` without an empty queue the window is lowered for two round trips, so that the queue empties
  and the reference delay is measured anew; otherwise a queue that always stands would become the reference, as it is
  to a flow that comes later. All flows see the queue empty together, so their next drains coincide. Then the window
  is asked for that held before, and rests until the sender has followed. Where the queue is far below the target,
  others set its length and a wrong reference does no harm: there is no drain.
- Where an application asks for it (`NuwaParameters.catches_up`), the window moves in proportion to itself once the
  queue has been empty, or above its target, for a while (`cc.receiver.catch_up`): by k packets a round trip it needs
  seconds to follow a link's rate to ten times or to a tenth of what it was.
- Where an application asks for it (`NuwaParameters.follows_need`), a player's need bounds the window and lowers the
  target (`cc.receiver.need`): with a full buffer a film takes what it plays, and leaves the rest of the link alone.
  The window that the link had is kept meanwhile, and gone back to (`cc.receiver.held_window`).
- After a step of either clock (`cc.receiver.clock_watch`) the measurement begins anew with such a drain, for the time
  that a queue at the target takes to empty, and from the window that held before the step was noticed.
- On a path that has become longer (`cc.receiver.longer_path`) it goes on from the largest window that left no queue.

With `NuwaParameters.as_in_paper` the window moves by equations 5 and 6 alone, and T_d is constant: without the target
that falls, growth by the clock, drains and catching up. What is of the sender or of the measurement stays. The
receiver ends slow start there, too, in the place of CUBIC's HyStart, on which the paper builds.
"""

from __future__ import annotations

import math

from cc.core.base import MINIMUM_WINDOW_PACKETS, Phase
from cc.core.nuwa_parameters import ALL_PARAMETERS, NuwaParameters
from cc.core.receiver_base import Stamp
from cc.core.scheme import Scheme
from cc.core.wrapping_count import counted_since
from cc.receiver.catch_up import CatchUp
from cc.receiver.held_window import HeldWindow
from cc.receiver.slow_start_exit import SlowStartExit
from cc.receiver.window_receiver import WindowReceiver, clock_factor, is_within_reach, within_reach_packets
from cc.sender.receiver_driven import ReceiverDriven

MAXIMUM_UPDATES_PER_STAMP = 4096  # a bound on the work that one stamp can cause
TARGET_WINDOW_PACKETS = 64.0  # at which the target is T_d; of 64, 80 and 100 the least delay on simulated LTE links
TARGET_RHO_SHARE = 1 / 2  # of rho: what the target loses for each factor e in the window
TARGET_RANGE = (0.5, 2.0)  # of T_d
DRAIN_AFTER_S = 10.0  # without an empty queue for so long it is emptied; below the reference's own window
DRAIN_FROM_SHARE = 0.5  # of T_d: with a shorter queue there is no drain
DRAIN_SHARE = 0.8  # of the window that fills the link without a queue
REFILL_RTTS = 2  # within which the sender follows a request; where it does not, the guard grants less


class Nuwa(WindowReceiver):
    """The receiver's half; the sender's half is `cc.sender.receiver_driven`."""

    def __init__(self, parameters: NuwaParameters) -> None:
        super().__init__(follows_need=parameters.follows_need)
        self._k = parameters.k
        self.parameters = parameters
        self._catch_up = CatchUp() if parameters.catches_up else None
        self._target_share = 1.0
        """What the need leaves of the target delay."""
        self._held_window = HeldWindow(self._measurement)
        self._slow_start_exit = SlowStartExit(self._measurement.bandwidth)
        self._drain_until_s: float | None = None
        self._drained_time_s: float | None = None
        self._refill_until_s: float | None = None
        """The latest time at which the sender returns to the window that held before a drain."""
        self._trusted_packets: float | None = None
        """The window before the delays became suspicious; None while they are not."""
        self._epochs_drained = 0

    def start_epoch(self, *, now_s: float) -> None:
        """Forget what is relative to the clocks; the next stamp gives the window."""
        super().start_epoch(now_s=now_s)
        self._trusted_packets = None

    def _move_window(self, stamp: Stamp, last: Stamp, *, received_time_s: float) -> None:
        if not self._measurement.is_suspicious:
            self._trusted_packets = None
        elif self._trusted_packets is None:
            self._trusted_packets = self._window_packets
        if self._need is not None:
            bandwidth = self._measurement.bandwidth.bytes_per_s
            self._target_share = self._need.target_share(bandwidth, now_s=received_time_s)
        if stamp.phase is Phase.SLOW_START:
            self._watch_slow_start(stamp, received_time_s=received_time_s)
        else:
            self._end_slow_start = False
            self._end_refill_when_done(stamp, received_time_s=received_time_s)
            packets = counted_since(stamp.packets_sent, last.packets_sent)
            self._update_window(stamp, packets=packets, received_time_s=received_time_s)
            self._return_from_hold(stamp, packets=packets, received_time_s=received_time_s)
            self._drain_when_due(stamp, received_time_s=received_time_s)
        if self._need is not None:
            link_packets, most_queue_s = self._window_packets, self.parameters.target_delay_s
            self._hold(self._need, stamp, most_queue_s=most_queue_s, received_time_s=received_time_s)
            if link_packets is not None and link_packets != self._window_packets:
                self._held_window.keep(link_packets)

    def _begin_anew(self, stamp: Stamp, *, received_time_s: float) -> None:
        """Start from the sender's window.

        In a new epoch from the one that delays lowered wrongly, on a longer path from the one that made no queue there.
        """
        self._window_packets = stamp.cwnd_bytes / stamp.max_datagram_bytes
        self._end_slow_start = False
        self._slow_start_exit.begin_anew()
        self._held_window.forget()
        if self._catch_up is not None:
            self._catch_up.forget()
        self._drain_until_s = None
        self._refill_until_s = None
        if self._measurement.epochs_begun > self._epochs_drained:
            self._epochs_drained = self._measurement.epochs_begun
            self._drained_time_s = None
            unqueued_bytes = self._measurement.unqueued_bytes
            if unqueued_bytes is None:
                self._window_packets = max(self._window_packets, self._trusted_packets or 0.0)
                self._drain_until_s = self._drain_end_s(stamp, received_time_s=received_time_s)
            else:
                self._window_packets = max(self._window_packets, unqueued_bytes / stamp.max_datagram_bytes)
                self._refill_until_s = received_time_s + REFILL_RTTS * (stamp.smoothed_rtt_s or 0.0)
        self._trusted_packets = None

    def _drain_end_s(self, stamp: Stamp, *, received_time_s: float) -> float | None:
        """When a new epoch's queue will be drained: the reference must be that of an empty queue."""
        if self.parameters.as_in_paper or stamp.phase is Phase.SLOW_START or stamp.min_rtt_s is None:
            return None
        return received_time_s + 2 * (stamp.min_rtt_s + self.parameters.target_delay_s)

    def _update_window(self, stamp: Stamp, *, packets: int, received_time_s: float) -> None:
        """Eq. 5 and 6, once per packet."""
        window = self._window_packets
        if window is None:
            return
        if self._drain_until_s is not None or self._refill_until_s is not None:
            if self._catch_up is not None:
                self._catch_up.forget()
            return
        target_s, delay_s = self._target_s(window), self._measurement.queueing_delay.filtered_s
        theta = math.tanh((target_s - delay_s) / self.parameters.rho_s)
        step = theta * self._k
        if self._catch_up is not None:
            self._catch_up.on_stamp(stamp, received_time_s=received_time_s, delay_s=delay_s, target_s=target_s)
        if theta > 0:
            if stamp.is_app_limited:
                return
            if not self.parameters.as_in_paper:
                step *= clock_factor(stamp)
        share = 0.0 if self._catch_up is None else self._catch_up.share(theta)
        for _ in range(min(packets, MAXIMUM_UPDATES_PER_STAMP)):
            move = step / window
            window = max(float(MINIMUM_WINDOW_PACKETS), window + (share if abs(share) > abs(move) else move))
        self._window_packets = within_reach_packets(window, stamp)

    def _return_from_hold(self, stamp: Stamp, *, packets: int, received_time_s: float) -> None:
        window = self._window_packets
        if window is None or self._drain_until_s is not None or self._refill_until_s is not None:
            return
        self._window_packets = self._held_window.grown_packets(
            stamp,
            window,
            new_packets=packets,
            received_time_s=received_time_s,
            target_s=self._target_s(window),
        )

    @property
    def k(self) -> float:
        """Its aggressiveness; of the preset."""
        return self._k

    @property
    def target_delay_s(self) -> float:
        """The queueing delay to hold with the present window; T_d before the first stamp."""
        return self.parameters.target_delay_s if self._window_packets is None else self._target_s(self._window_packets)

    def _target_s(self, window_packets: float) -> float:
        """The queueing delay to hold with this window."""
        target_delay_s, rho_s = self.parameters.target_delay_s, self.parameters.rho_s
        if self.parameters.as_in_paper:
            return target_delay_s
        target_s = target_delay_s - TARGET_RHO_SHARE * rho_s * math.log(window_packets / TARGET_WINDOW_PACKETS)
        least, most = TARGET_RANGE
        return self._target_share * max(least * target_delay_s, min(target_s, most * target_delay_s))

    def _watch_slow_start(self, stamp: Stamp, *, received_time_s: float) -> None:
        """End slow start as soon as a queue stands, at the window that the bottleneck can carry."""
        self._window_packets = stamp.cwnd_bytes / stamp.max_datagram_bytes
        window_packets = self._slow_start_exit.window_packets(
            stamp,
            received_time_s=received_time_s,
            delay_s=self._measurement.queueing_delay.raw_s,
            reserve_s=0.5 * self.parameters.target_delay_s,
        )
        if window_packets is not None:
            self._end_slow_start = True
            self._window_packets = window_packets

    def _drain_when_due(self, stamp: Stamp, *, received_time_s: float) -> None:
        if self._drain_until_s is not None:
            if received_time_s >= self._drain_until_s:
                self._drain_until_s = None
                self._drained_time_s = received_time_s
                self._refill_until_s = received_time_s + REFILL_RTTS * (stamp.smoothed_rtt_s or 0.0)
            return
        delay = self._measurement.queueing_delay
        if self.parameters.as_in_paper or delay.filtered_s < DRAIN_FROM_SHARE * self.parameters.target_delay_s:
            return
        seen_empty_s = delay.confirmed_time_s
        if self._drained_time_s is not None:
            seen_empty_s = max(seen_empty_s, self._drained_time_s)
        if stamp.smoothed_rtt_s is not None and received_time_s - seen_empty_s > DRAIN_AFTER_S:
            self._drain_until_s = received_time_s + 2 * stamp.smoothed_rtt_s

    def _end_refill_when_done(self, stamp: Stamp, *, received_time_s: float) -> None:
        """Stamps still tell of the drained window at first: the bound on growth must not hold that against us."""
        if self._refill_until_s is None or self._window_packets is None:
            return
        if is_within_reach(self._window_packets, stamp) or received_time_s >= self._refill_until_s:
            self._refill_until_s = None

    def _requested_window_packets(self, stamp: Stamp, window_packets: float, *, now_s: float) -> float:
        if self._drain_until_s is None or stamp.min_rtt_s is None:
            return window_packets
        rate = self._measurement.bandwidth.at(now_s=now_s, waits_since_s=-math.inf)
        if rate is None:
            return window_packets
        return min(window_packets, DRAIN_SHARE * rate * stamp.min_rtt_s / stamp.max_datagram_bytes)


SCHEME = Scheme(
    name="nuwa",
    title="Nuwa",
    control="receiver",
    family="Receiver-driven",
    summary="The receiver holds its one-way queueing delay at a target and tells the sender its window.",
    source="Jiang, Gong, Jin: receiver-side congestion control, section IV",
    make_sender=ReceiverDriven,
    make_receiver=Nuwa,
    reads=ALL_PARAMETERS,
)
