"""SCReAM: a window that doubles until delays trend upwards, and then lets 100 ms of queue stand, as LEDBAT does.

Source: RFC 8298, section 4.1.2 (network congestion control) with the constants of section 4.1.1.1; only the window.
There is no media queue here and no media rate control (section 4.1.3): the source is a backlog, or on and off.

Deviations:

- The queueing delay is the latest RTT less the smallest of ten minutes, as LEDBAT has it (the authors' code: of 500 s):
  no receiver tells one-way delays. So a path that becomes longer by more than the target has the least window for that
  long.
- Competing-flow compensation (section 4.1.2.3) is off, as it may be: it takes the queue of a source that always has
  something to send for that of others, and then the target follows that queue (191 ms where fast increase left it so).
- A delay above the target puts off the return to fast increase, as in the authors' code
  (github.com/EricssonResearch/scream, commit d881890); else a full but steady queue would be doubled.
- Lost bytes do not count as acknowledged (section 4.1.2): the ledger keeps them apart.
- Losses of one round trip are those of packets sent before the window was cut, as in RFC 9002.
- Persistent congestion takes the window to its least; the RFC has nothing like it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.windowed_filter import WindowedMaximum
from cc.sender.base_delay import BaseDelay

QDELAY_TARGET_S = 0.1  # QDELAY_TARGET_LO
QDELAY_WEIGHT = 0.1
QDELAY_TREND_TH = 0.2
MIN_CWND_BYTES = 3000
MAX_BYTES_IN_FLIGHT_HEAD_ROOM = 1.1
MAX_BYTES_IN_FLIGHT_S = 5.0
GAIN = 1.0
BETA_LOSS = 0.8
BETA_ECN = 0.9
T_RESUME_FAST_INCREASE_S = 5.0
RATE_PACE_MIN_BYTES_PER_S = 50_000 / 8
TREND_INTERVAL_S = 0.05  # section 4.1.2: between samples of the delay
TREND_SAMPLES = 20
NO_VARIANCE = 1e-12  # of rounding alone
WINDOW_USED_FAST = 1.5  # section 4.1.2.2: two thirds of the window in flight are enough to double it,
WINDOW_USED = 1.25  # and four fifths to increase it at all


def autocorrelation(samples: Sequence[float]) -> float:
    """Autocorrelation at a lag of one sample, the mean taken off; 0 where nothing varies."""
    mean = sum(samples) / len(samples)
    deviations = [sample - mean for sample in samples]
    variance = sum(deviation**2 for deviation in deviations)
    if variance <= NO_VARIANCE:
        return 0.0
    return sum(one * following for one, following in pairwise(deviations)) / variance


class DelayTrend:
    """qdelay_trend of section 4.1.2: 0 while the delay is low or does not move, up to 1."""

    def __init__(self) -> None:
        self.value = 0.0
        self._fraction_avg = 0.0
        self._history: deque[float] = deque([0.0] * TREND_SAMPLES, maxlen=TREND_SAMPLES)
        self._sampled_s: float | None = None

    def update(self, qdelay_s: float, *, now_s: float) -> None:
        """Take a delay, and a sample of it for each 50 ms that have passed."""
        fraction = qdelay_s / QDELAY_TARGET_S
        self._fraction_avg = (1 - QDELAY_WEIGHT) * self._fraction_avg + QDELAY_WEIGHT * fraction
        if self._sampled_s is None:
            self._sampled_s = now_s
        intervals = int((now_s - self._sampled_s) / TREND_INTERVAL_S)
        if intervals == 0:
            return
        self._sampled_s += intervals * TREND_INTERVAL_S
        self._history.extend([fraction] * min(intervals, TREND_SAMPLES))
        self.value = min(1.0, max(0.0, autocorrelation(self._history) * self._fraction_avg))


class Scream(SenderScheme):
    """Fast increase, then one packet an RTT towards the target delay, or away from it."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._minimum_window_bytes = float(max(MIN_CWND_BYTES, MINIMUM_WINDOW_PACKETS * max_datagram_bytes))
        self._window_bytes = self._minimum_window_bytes
        self._is_in_fast_increase = True
        self._trend = DelayTrend()
        self._base = BaseDelay()
        self._max_bytes_in_flight = WindowedMaximum(MAX_BYTES_IN_FLIGHT_S)
        self._qdelay_s = 0.0
        self._srtt_s: float | None = None
        self._reduced_s: float | None = None
        self._congested_s: float | None = None

    @property
    def cwnd_bytes(self) -> int:
        """Section 4.1.2.5: a packet more than the window while the delay is below its target."""
        slack_bytes = self.max_datagram_bytes if self._qdelay_s <= QDELAY_TARGET_S else 0
        return int(self._window_bytes + slack_bytes)

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        """Section 4.1.2.6."""
        if self._srtt_s is None:
            return None
        return max(RATE_PACE_MIN_BYTES_PER_S, self._window_bytes / max(self._srtt_s, 1e-6))

    @property
    def phase(self) -> Phase:
        return Phase.SLOW_START if self._is_in_fast_increase else Phase.AVOIDANCE

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        self._max_bytes_in_flight.update(bytes_in_flight, at=now_s)

    def on_ack(self, event: AckEvent) -> None:
        if event.rtt is None:
            return
        now_s = event.now_s
        self._srtt_s = event.rtt.smoothed_s
        if event.has_rtt_sample:
            rtt_s = event.rtt.latest_s
            self._qdelay_s = rtt_s - self._base.on_sample(rtt_s, now_s=now_s)
            self._trend.update(self._qdelay_s, now_s=now_s)
        if event.ecn is not None and event.ecn.ce > 0:
            self._reduce(BETA_ECN, newest=event.acked[-1], now_s=now_s)
        else:
            self._update_window(event)
        self._resume_fast_increase(now_s)

    def on_loss(self, event: LossEvent) -> None:
        self._reduce(BETA_LOSS, newest=event.lost[-1], now_s=event.now_s)
        if event.is_persistent_congestion:
            self._window_bytes = self._minimum_window_bytes
            self._reduced_s = event.now_s
            self.window_resets += 1

    def log_fields(self) -> Mapping[str, float | None]:
        return {"qdelay_s": self._qdelay_s, "qdelay_trend": self._trend.value}

    def _update_window(self, event: AckEvent) -> None:
        """Section 4.1.2.2, update_cwnd."""
        if self._is_in_fast_increase:
            if self._trend.value < QDELAY_TREND_TH:
                if self._is_used(event, WINDOW_USED_FAST):
                    self._window_bytes += event.acked_bytes
                return
            self._is_in_fast_increase = False
        off_target = (QDELAY_TARGET_S - self._qdelay_s) / QDELAY_TARGET_S
        delta_bytes = GAIN * off_target * event.acked_bytes * self.max_datagram_bytes / self._window_bytes
        if off_target > 0 and not self._is_used(event, WINDOW_USED):
            delta_bytes = 0.0
        window_bytes = self._window_bytes + delta_bytes
        largest_in_flight = self._max_bytes_in_flight.best
        if largest_in_flight is not None:
            window_bytes = min(window_bytes, largest_in_flight * MAX_BYTES_IN_FLIGHT_HEAD_ROOM)
        self._window_bytes = max(window_bytes, self._minimum_window_bytes)

    def _is_used(self, event: AckEvent, factor: float) -> bool:
        return event.bytes_in_flight * factor + event.acked_bytes > self._window_bytes

    def _reduce(self, beta: float, *, newest: SentPacket, now_s: float) -> None:
        """Section 4.1.2.1: once for each round trip."""
        if self._reduced_s is not None and newest.sent_time_s <= self._reduced_s:
            return
        self._is_in_fast_increase = False
        self._window_bytes = max(beta * self._window_bytes, self._minimum_window_bytes)
        self._reduced_s = self._congested_s = now_s
        self.window_resets += 1

    def _resume_fast_increase(self, now_s: float) -> None:
        """Section 4.1.2.7: when there was no sign of congestion for five seconds."""
        is_congested = self._trend.value >= QDELAY_TREND_TH or self._qdelay_s > QDELAY_TARGET_S
        if self._is_in_fast_increase or is_congested or self._congested_s is None:
            self._congested_s = now_s
        elif now_s - self._congested_s > T_RESUME_FAST_INCREASE_S:
            self._is_in_fast_increase = True


SCHEME = Scheme(
    name="scream",
    title="SCReAM",
    control="sender",
    family="Delay-based",
    summary="A self-clocked window that lets 100 ms of queue stand; the window alone, without media queues.",
    source="RFC 8298",
    make_sender=Scream,
)
