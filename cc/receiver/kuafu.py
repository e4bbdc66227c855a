"""Kuafu: the receiver forecasts what the link will carry, and asks for that and a reserve that keeps it from idling.

This project's own, without a neural network. The window is the forecast rate times (shortest round trip + reserve),
and some packets more:

- **Forecast.** While a queue stands, arrivals measure the link. The rate of the newest `rate_window_s` is noisy on
  cellular and wireless links, so the largest of `memory_s` counts, smoothed. It is an upper forecast on purpose: what
  it is too high by, the reserve learns to leave out, down to a negative one. A link that pauses says nothing of its
  rate: the memory does not run on then, so that the forecast is still there when the link carries again. It stands
  still in a pause of the application, too, and no rate is taken over that.
- **Reserve.** The queue is to be empty in a share of the time (`empty_share`) and no more. The reserve grows the
  faster, the nearer the queue is to empty, and shrinks while it is not, in that proportion. On a steady link hardly any
  queue is left; on one that varies there is as much as its variation takes. The target delay is all that an application
  chooses: the reserve is never more, and the longer it is, the more seldom the queue may be empty.
- **Rise.** With an empty queue the forecast grows in proportion to itself, threefold a round trip, to twice what
  arrives; not where the application is the limit.
- **Fall.** With a queue the forecast follows the largest rate that is remembered. What stands above the reserve is
  taken from the window, a little at a time.
- **Sharing.** The larger a window, the less of the reserve it has, down to a few milliseconds, and each has some
  packets whatever its rate. So of two flows over one link the smaller one gains. Their references differ by a
  millisecond or two, which an emulator's clock alone makes. With a threshold for "empty", the flow of the higher
  reference would see an empty queue many times as often and have most of the link; by degrees both see nearly the
  same. A flow that came late, and others that fill the queue, are noticed by draining it (`cc.receiver.contest`).

cc/receiver/CHOICES.md says how the constants were chosen. Slow start ends as Nuwa's does
(`cc.receiver.slow_start_exit`). When the sender cuts its window after a loss, half of the reserve goes: the queue has
no room for it.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from cc.core.base import Phase
from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Stamp
from cc.core.scheme import Scheme
from cc.core.windowed_filter import WindowedMaximum
from cc.core.wrapping_count import counted_since
from cc.receiver.contest import LONGEST_QUEUE_S, Contest, Sight
from cc.receiver.slow_start_exit import SlowStartExit
from cc.receiver.window_receiver import WindowReceiver, within_reach_packets
from cc.sender.receiver_driven import ReceiverDriven

FIRST_RESERVE_S = 0.015
USUAL_TARGET_S = 0.060
EMPTY_SHARE_RANGE = (0.25, 2.0)  # of the constant
LONGEST_STEP_S = 0.2  # a pause between stamps counts as no more than this
GROWTH_BOUND = 2.0  # times the rate that arrives: the forecast of an empty queue rises no further above it
LEAST_RTT_SHARE = 1 / 4  # of the shortest round trip, which the window fills whatever stands in the queue
EMPTY_PACKETS = 1.5  # a queue of so many packets is next to none: a slow link's own spacing
LEAST_INTERVAL_S = 1e-4
MOST_EXPONENT = 20.0  # of growth between two stamps: whatever a stamp says of the round trip, the result is a number
FAIR_PACKETS = 64.0  # the window at which the reserve is as the constants have it
TOLERANCE_S = 0.005  # of queue above the reserve, which is noise
SHARE_STEPS = 8  # after which the window is exact
PAUSE_S = 0.2  # a longer time without arrivals may be a pause of the link
PAUSE_FACTOR = 6.0  # where it is so many times what the forecast says
IDLE_FACTOR = 2.0  # the same of a sender that had nothing to send


@dataclass(frozen=True, slots=True)
class KuafuConstants:
    """What was chosen on training links (cc/receiver/CHOICES.md)."""

    rate_window_s: float = 0.045
    """Time over which arrivals are measured."""
    memory_s: float = 0.36
    """Time of which the largest such rate counts."""
    rise_s: float = 0.03
    """Time constant with which the forecast follows a larger rate."""
    fall_s: float = 0.045
    """Time constant with which it follows a smaller one, while a queue stands."""
    empty_share: float = 0.02
    """Share of the time in which the queue may be empty, for a target delay of `USUAL_TARGET_S`."""
    emptiness_scale_s: float = 0.004
    """A queue of this length counts as empty in 1 / e of its time, one twice as long in 1 / e^2."""
    reserve_growth: float = 0.3
    """Seconds of reserve in a second with an empty queue."""
    least_reserve_s: float = -0.015
    """The largest rate is above the mean: a negative reserve undoes that."""
    growth_exponent: float = 1.1
    """Growth of the forecast with an empty queue: the exponent of e in a round trip."""
    excess_share: float = 0.1
    """Share of the queue above the reserve, which the window leaves out."""
    fairness_s: float = 0.018
    """What the reserve loses for each factor e in the window above `FAIR_PACKETS`."""
    unshared_s: float = 0.004
    """Of the reserve, which a window of any size has."""
    fairness_exponent: float = 0.5
    """Exponent of the window over `FAIR_PACKETS`: the larger it is, the sooner its reserve shrinks."""
    reserve_scale_s: float = 0.02
    """A reserve so far above the least shrinks in the proportion of `empty_share`; a larger one sooner."""
    extra_packets: float = 2.5
    """Room for what waits to be acknowledged, whatever the rate."""
    empty_below_s: float = 0.0018
    """A shorter queue is none: the forecast grows."""


CONSTANTS = KuafuConstants()


class Kuafu(WindowReceiver):
    """The receiver's half; the sender's half is `cc.sender.receiver_driven`."""

    def __init__(self, parameters: NuwaParameters, constants: KuafuConstants = CONSTANTS) -> None:
        super().__init__(follows_need=parameters.follows_need)
        self._constants = constants
        self._longest_reserve_s = parameters.target_delay_s
        self._empty_share = _empty_share(constants, parameters.target_delay_s)
        self._reserve_s = min(FIRST_RESERVE_S, parameters.target_delay_s)
        self._forecast_bytes_per_s: float | None = None
        self._sender_epoch: int | None = None
        self._epochs_drained = 0
        self._moved_s: float | None = None
        self._arrivals: deque[tuple[float, int]] = deque()
        """When the newest stamps came, and what had been sent before them."""
        self._is_pause = False
        """Whether the link paused before the newest."""
        self._paused_s = 0.0
        """Pauses of link and application in all, so far."""
        self._largest = WindowedMaximum(constants.memory_s)
        """The largest of rates in bytes per second, at times less the pauses."""
        self._slow_start_exit = SlowStartExit(self._measurement.bandwidth)
        self._contest = Contest(parameters.target_delay_s)

    @property
    def reserve_s(self) -> float:
        """The queue that it reserves now; none where the forecast alone is too high."""
        return max(0.0, self._reserve_s)

    @property
    def target_delay_s(self) -> float:
        """The queue that it means to hold: what a contest grows to, or the reserve and the packets beside it."""
        if self._contest.is_on:
            return self._contest.longest_queue_s
        stamp, forecast = self._last_stamp, self._forecast_bytes_per_s
        if stamp is None or forecast is None:
            return self.reserve_s
        beside_s = self._constants.extra_packets * stamp.max_datagram_bytes / forecast
        return self.reserve_s + min(beside_s, LONGEST_QUEUE_S)

    def _begin_anew(self, stamp: Stamp, *, received_time_s: float) -> None:
        """Start from the sender's window; the forecast is of the path, and stays."""
        if self._sender_epoch is not None and stamp.epoch != self._sender_epoch:
            self._reserve_s -= max(0.0, self._reserve_s) / 2
        self._sender_epoch = stamp.epoch
        self._window_packets = stamp.cwnd_bytes / stamp.max_datagram_bytes
        self._end_slow_start = False
        if self._measurement.epochs_begun > self._epochs_drained:
            self._epochs_drained = self._measurement.epochs_begun
            if stamp.phase is Phase.SLOW_START:  # another path, as a rule, on which nobody has been seen
                self._contest = Contest(self._longest_reserve_s)
            else:
                self._contest.drain_anew()
        self._contest.begin_anew(stamp)
        self._moved_s = None
        self._arrivals.clear()
        self._largest = WindowedMaximum(self._constants.memory_s)
        self._slow_start_exit.begin_anew()

    def _move_window(self, stamp: Stamp, last: Stamp, *, received_time_s: float) -> None:
        self._follow_link(stamp, last, received_time_s=received_time_s)
        if self._need is not None:
            most_queue_s = self._contest.longest_queue_s
            self._hold(self._need, stamp, most_queue_s=most_queue_s, received_time_s=received_time_s)

    def _follow_link(self, stamp: Stamp, last: Stamp, *, received_time_s: float) -> None:
        self._note_arrival(stamp, received_time_s=received_time_s)
        if stamp.phase is Phase.SLOW_START:
            self._watch_slow_start(stamp, received_time_s=received_time_s)
            self._forecast_bytes_per_s = None
            return
        self._end_slow_start = False
        rate = self._bytes_per_s_over(self._constants.rate_window_s)
        if rate is None or stamp.min_rtt_s is None:
            return
        elapsed_s = 0.0 if self._moved_s is None else min(received_time_s - self._moved_s, LONGEST_STEP_S)
        self._moved_s = received_time_s
        if self._forecast_bytes_per_s is None:
            self._forecast_bytes_per_s = rate
        delay = self._measurement.queueing_delay
        queue_s = delay.likely_s
        sight = Sight(
            now_s=received_time_s,
            queue_s=queue_s,
            empty_seen_s=delay.confirmed_time_s,
            rate_bytes_per_s=self._forecast_bytes_per_s,
            own_packets=self._window_packets or FAIR_PACKETS,
            new_packets=counted_since(stamp.packets_sent, last.packets_sent),
        )
        self._contest.on_stamp(stamp, sight)
        if self._contest.is_draining:
            return
        largest = self._largest.update(rate, at=received_time_s - self._paused_s)
        least_s = EMPTY_PACKETS * stamp.max_datagram_bytes / self._forecast_bytes_per_s
        if not (stamp.is_app_limited or self._measurement.is_held):
            self._grow_reserve(queue_s, elapsed_s=elapsed_s, least_s=least_s)
        self._reserve_s = min(self._reserve_s, self._most_reserve_s(now_s=received_time_s))
        if queue_s < max(self._constants.empty_below_s, least_s):
            self._with_empty_queue(stamp, largest, elapsed_s=elapsed_s, round_trip_s=stamp.min_rtt_s)
            self._set_window(stamp, stamp.min_rtt_s, excess_s=0.0, may_fall=not stamp.is_app_limited)
        else:
            self._with_queue(largest, elapsed_s=elapsed_s)
            excess_s = max(0.0, queue_s - self._reserve_s - TOLERANCE_S)
            self._set_window(stamp, stamp.min_rtt_s, excess_s=excess_s, may_fall=True)

    def _grow_reserve(self, queue_s: float, *, elapsed_s: float, least_s: float) -> None:
        """The faster, the nearer the queue is to empty."""
        emptiness = math.exp(-queue_s / max(self._constants.emptiness_scale_s, least_s))
        self._reserve_s += self._constants.reserve_growth * emptiness * elapsed_s

    def _most_reserve_s(self, *, now_s: float) -> float:
        """The target delay, or what the need leaves of it."""
        if self._need is None:
            return self._longest_reserve_s
        return self._longest_reserve_s * self._need.target_share(self._measurement.bandwidth.bytes_per_s, now_s=now_s)

    def _with_empty_queue(
        self, stamp: Stamp, largest_bytes_per_s: float, *, elapsed_s: float, round_trip_s: float
    ) -> None:
        constants, forecast = self._constants, self._forecast_bytes_per_s or largest_bytes_per_s
        before = forecast
        if largest_bytes_per_s > forecast:
            forecast += _share(elapsed_s, constants.rise_s) * (largest_bytes_per_s - forecast)
        if not stamp.is_app_limited:
            exponent = constants.growth_exponent * elapsed_s / max(round_trip_s, LEAST_INTERVAL_S)
            grown = forecast * math.exp(min(exponent, MOST_EXPONENT))
            forecast = min(grown, max(GROWTH_BOUND * largest_bytes_per_s, before))
        self._forecast_bytes_per_s = forecast

    def _with_queue(self, largest_bytes_per_s: float, *, elapsed_s: float) -> None:
        constants, forecast = self._constants, self._forecast_bytes_per_s or largest_bytes_per_s
        follow_s = constants.rise_s if largest_bytes_per_s > forecast else constants.fall_s
        self._forecast_bytes_per_s = forecast + _share(elapsed_s, follow_s) * (largest_bytes_per_s - forecast)
        fall = constants.reserve_growth * self._empty_share / (1 - self._empty_share)
        above = (self._reserve_s - constants.least_reserve_s) / constants.reserve_scale_s
        size = ((self._window_packets or FAIR_PACKETS) / FAIR_PACKETS) ** constants.fairness_exponent
        self._reserve_s -= fall * size * above * elapsed_s

    def _set_window(self, stamp: Stamp, round_trip_s: float, *, excess_s: float, may_fall: bool) -> None:
        forecast = (self._forecast_bytes_per_s or 0.0) / stamp.max_datagram_bytes
        path_s = round_trip_s - self._constants.excess_share * excess_s
        window = self._shared_packets(forecast, path_s, least_s=LEAST_RTT_SHARE * round_trip_s)
        if not may_fall:
            window = max(window, self._window_packets or 0.0)
        self._window_packets = within_reach_packets(window, stamp)

    def _shared_packets(self, packets_per_s: float, path_s: float, *, least_s: float) -> float:
        """The window of path and reserve, less the share that goes by this very window.

        One that goes by the last window would be a step of an iteration, which diverges on short round trips. The
        share leaves a part of the reserve: without any the link runs dry, and the forecast rises for nothing. From
        below Newton's steps come near without going beyond.
        """
        constants, reserve_s = self._constants, self._reserve_s
        window = packets_per_s * max(path_s + min(reserve_s, constants.unshared_s), least_s) + constants.extra_packets
        for _ in range(SHARE_STEPS):
            wanted_s = path_s + reserve_s - constants.fairness_s * math.log(window / FAIR_PACKETS)
            lacking = packets_per_s * wanted_s + constants.extra_packets - window
            if lacking <= 0:
                break
            window += lacking / (1 + packets_per_s * constants.fairness_s / window)
        return window

    def _requested_window_packets(self, stamp: Stamp, window_packets: float, *, now_s: float) -> float:
        """What drains and contests make of the window, within what the player needs."""
        asked = self._contest.asked_packets(window_packets)
        if self._need is None:
            return asked
        bound = self._need.bound_packets(stamp, most_queue_s=self._contest.longest_queue_s, now_s=now_s)
        return asked if bound is None else min(asked, bound)

    def _note_arrival(self, stamp: Stamp, *, received_time_s: float) -> None:
        """The memory stands still while the link pauses, or the application; a pause after a pause is a slow link."""
        arrivals, forecast = self._arrivals, self._forecast_bytes_per_s
        was_pause, self._is_pause = self._is_pause, False
        if arrivals and forecast is not None:
            last_s, last_bytes = arrivals[-1]
            gap_s, expected_s = received_time_s - last_s, (stamp.bytes_sent - last_bytes) / forecast
            was_idle = stamp.is_app_limited and gap_s > max(self._constants.rate_window_s, IDLE_FACTOR * expected_s)
            if was_idle:
                arrivals.clear()
                self._moved_s = None
            elif not stamp.is_app_limited:
                self._is_pause = not was_pause and gap_s > max(PAUSE_S, PAUSE_FACTOR * expected_s)
            if was_idle or self._is_pause:
                self._paused_s += gap_s - expected_s
        arrivals.append((received_time_s, stamp.bytes_sent))
        while len(arrivals) > 2 and received_time_s - arrivals[1][0] >= self._constants.rate_window_s:
            arrivals.popleft()

    def _bytes_per_s_over(self, window_s: float) -> float | None:
        """Bytes per second of the newest stamps that span so long, or of all there are; None of fewer than two."""
        arrivals = self._arrivals
        if len(arrivals) < 2:
            return None
        newest_s, newest_bytes = arrivals[-1]
        start_s, start_bytes = arrivals[0]
        for time_s, sent_bytes in reversed(arrivals):
            start_s, start_bytes = time_s, sent_bytes
            if newest_s - time_s >= window_s:
                break
        if newest_s - start_s <= LEAST_INTERVAL_S or newest_bytes <= start_bytes:
            return None
        return (newest_bytes - start_bytes) / (newest_s - start_s)

    def _watch_slow_start(self, stamp: Stamp, *, received_time_s: float) -> None:
        """End slow start as soon as a queue stands, at the window that the link carries with the first reserve."""
        self._window_packets = stamp.cwnd_bytes / stamp.max_datagram_bytes
        window_packets = self._slow_start_exit.window_packets(
            stamp,
            received_time_s=received_time_s,
            delay_s=self._measurement.queueing_delay.likely_s,
            reserve_s=FIRST_RESERVE_S,
        )
        if window_packets is not None:
            self._end_slow_start = True
            self._window_packets = window_packets


def _empty_share(constants: KuafuConstants, target_delay_s: float) -> float:
    """What the target delay makes of the constant: by its square, within a range."""
    least, most = EMPTY_SHARE_RANGE
    return constants.empty_share * max(least, min((USUAL_TARGET_S / target_delay_s) ** 2, most))


def _share(elapsed_s: float, time_constant_s: float) -> float:
    """Share of the distance to what is followed that is gone in so long."""
    return 1 - math.exp(-elapsed_s / time_constant_s)


SCHEME = Scheme(
    name="kuafu",
    title="Kuafu",
    control="receiver",
    family="Receiver-driven",
    summary="The receiver forecasts the link's rate, and keeps no more queue than lets it seldom run dry.",
    source="this project; chosen on training links, cc/receiver/CHOICES.md",
    make_sender=ReceiverDriven,
    make_receiver=Kuafu,
    reads=("target_delay_s", "follows_need"),
)
