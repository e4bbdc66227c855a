"""TCP D*: BBR's idea of one bandwidth-delay product in flight, enforced by the window alone.

Source: Lynn, Ghosal: TCP D*: a low latency first congestion control algorithm, arXiv 2012.14996, and the authors'
module, tcp_davis.c of lambda-11235/tcp_davis at 287959a, from which the constants are. A cycle holds the window at the
BDP for three to six round trips, raises it a little for three, and measures the delivery rate in the last of these.

Deviations:

- ACKs here come for ten packets, there for two. The window is widened by what arrived but waits for its ACK, as in
  BBR (`cc.sender.bbr.ack_aggregation`); else it would be too small, the next measurement too, and so on down.
- A measurement with application-limited packets in it is dropped; the module takes it for the path's rate.
- No restart after idling: the transport paces (RFC 9002 section 7.8).
- Persistent congestion drains as the end of slow start does, from RFC 9002's two packets; the kernel does that there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme
from cc.core.random_source import RandomSource
from cc.core.rounds import RoundCounter
from cc.core.scheme import Scheme
from cc.core.windowed_filter import WindowedMaximum
from cc.sender.bbr.ack_aggregation import FILTER_ROUNDS, AckAggregation

MIN_WINDOW_PACKETS = 4  # MIN_CWND
MIN_GAIN_PACKETS = 4  # MIN_GAIN_CWND
REACTIVITY = 1 / 8  # growth in a cycle while the bandwidth grows
SENSITIVITY = 1 / 64  # the window's gain while nothing changes
SLOW_START_GAIN = 1.5
DRAIN_RTTS = 2
GAIN_1_RTTS = 2
GAIN_2_RTTS = 1
STABLE_RTTS_MIN = 3
STABLE_RTTS_MAX = 6
ROUNDING_PACKETS = 1e-6  # what arithmetic alone adds must not count as a packet
MIN_RTT_TIMEOUT_S = 10.0  # RTT_TIMEOUT_MS


class Mode(Enum):
    """The phases of a cycle; DRAIN only now and then."""

    STABLE = "stable"
    GAIN_1 = "gain-1"
    GAIN_2 = "gain-2"
    DRAIN = "drain"


class TcpDstar(SenderScheme):
    """A window of one bandwidth-delay product, and no pacing of its own."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self.mode = Mode.GAIN_1
        self.is_in_slow_start = True
        self.bdp_packets = MIN_WINDOW_PACKETS
        self.gain_packets = MIN_GAIN_PACKETS
        self.min_rtt_s: float | None = None
        self._last_bdp_packets = 0
        self._base_packets = MIN_WINDOW_PACKETS
        self._mode_began_s: float | None = None
        self._stable_rtts = STABLE_RTTS_MIN
        self._last_rtt_s = 0.0
        self._min_rtt_stamp_s = 0.0
        self._gain_2_delivered_bytes = 0
        self._is_measurement_limited = False
        self._rounds = RoundCounter()
        self._bandwidth = WindowedMaximum(FILTER_ROUNDS)
        self._aggregation = AckAggregation()

    @property
    def cwnd_bytes(self) -> int:
        window_bytes = self._base_packets * self.max_datagram_bytes
        if self.is_in_slow_start or self.mode is Mode.DRAIN:
            return window_bytes
        return window_bytes + int(min(self._aggregation.extra_acked_bytes, window_bytes))

    @property
    def phase(self) -> Phase:
        return Phase.SLOW_START if self.is_in_slow_start else Phase.AVOIDANCE

    def on_ack(self, event: AckEvent) -> None:
        self._rounds.on_ack(event)
        if event.delivery_rate is not None:
            self._bandwidth.update(event.delivery_rate.bytes_per_s, at=self._rounds.count)
        self._update_rtt(event)
        if self.min_rtt_s is None:
            return
        self._aggregation.on_ack(
            now_s=event.now_s,
            acked_bytes=event.acked_bytes,
            bandwidth_bytes_per_s=self._bandwidth.best or 0.0,
            cwnd_bytes=self.cwnd_bytes,
            round_count=self._rounds.count,
        )
        self._is_measurement_limited = self._is_measurement_limited or event.acked[-1].is_app_limited
        if self._mode_began_s is None:
            self._mode_began_s = event.now_s
        elif event.now_s > self._mode_began_s + self._mode_rtts() * self._last_rtt_s:
            self._leave_mode(event)

    def on_loss(self, event: LossEvent) -> None:
        if event.is_persistent_congestion:
            self._drain(event.now_s, MINIMUM_WINDOW_PACKETS)
            self.window_resets += 1
        elif self.is_in_slow_start:
            self._drain(event.now_s, MIN_WINDOW_PACKETS)

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            "bdp_bytes": self.bdp_packets * self.max_datagram_bytes,
            "min_rtt_s": self.min_rtt_s,
            "extra_acked_bytes": self._aggregation.extra_acked_bytes,
        }

    def _update_rtt(self, event: AckEvent) -> None:
        if event.rtt is None or not event.has_rtt_sample:
            return
        self._last_rtt_s = event.rtt.latest_s
        if self.min_rtt_s is None or self._last_rtt_s < self.min_rtt_s:
            self.min_rtt_s = self._last_rtt_s
            self._min_rtt_stamp_s = event.now_s

    def _mode_rtts(self) -> int:
        lengths = {Mode.DRAIN: DRAIN_RTTS, Mode.GAIN_1: GAIN_1_RTTS, Mode.GAIN_2: GAIN_2_RTTS}
        return lengths.get(self.mode, self._stable_rtts)

    def _leave_mode(self, event: AckEvent) -> None:
        """tcp_davis_cong_control and davis_slow_start."""
        if self.mode is Mode.DRAIN:
            self._enter(Mode.STABLE, event.now_s, self.bdp_packets)
        elif self.mode is Mode.STABLE:
            self._enter(Mode.GAIN_1, event.now_s, self.bdp_packets + self.gain_packets)
        elif self.mode is Mode.GAIN_1:
            self._enter(Mode.GAIN_2, event.now_s, self._base_packets)
            self._gain_2_delivered_bytes = event.delivered_bytes
            self._is_measurement_limited = False
        elif self.is_in_slow_start:
            self._grow(event)
        else:
            self._end_cycle(event)

    def _grow(self, event: AckEvent) -> None:
        """Slow start: half a BDP more every three round trips, until that brings no more."""
        self._measure(event)
        if self._is_measurement_limited:
            self._enter(Mode.GAIN_1, event.now_s, self._base_packets)
        elif self.bdp_packets > self._last_bdp_packets:
            self._last_bdp_packets = self.bdp_packets
            self._enter(Mode.GAIN_1, event.now_s, int(SLOW_START_GAIN * self.bdp_packets))
        else:
            self._drain(event.now_s, MIN_WINDOW_PACKETS)

    def _end_cycle(self, event: AckEvent) -> None:
        last_bdp_packets = self.bdp_packets
        self._measure(event)
        if not self._is_measurement_limited:
            self._last_bdp_packets = last_bdp_packets
            self._update_gain()
        if event.now_s > self._min_rtt_stamp_s + MIN_RTT_TIMEOUT_S:
            self.min_rtt_s = self._last_rtt_s
            self._min_rtt_stamp_s = event.now_s
            self._drain(event.now_s, MIN_WINDOW_PACKETS)
            return
        self._stable_rtts = STABLE_RTTS_MIN + int(self.rng.random() * (STABLE_RTTS_MAX - STABLE_RTTS_MIN + 1))
        self._enter(Mode.STABLE, event.now_s, self.bdp_packets)

    def _measure(self, event: AckEvent) -> None:
        if self._is_measurement_limited or self._mode_began_s is None or self.min_rtt_s is None:
            return
        rate = (event.delivered_bytes - self._gain_2_delivered_bytes) / (event.now_s - self._mode_began_s)
        self.bdp_packets = math.ceil(rate * self.min_rtt_s / self.max_datagram_bytes - ROUNDING_PACKETS)

    def _update_gain(self) -> None:
        """update_gain_cwnd: REACTIVITY of the BDP while it grows without end, SENSITIVITY while it stays."""
        alpha = 1 + REACTIVITY - SENSITIVITY / REACTIVITY
        beta = SENSITIVITY - alpha
        gain = alpha * self.bdp_packets + beta * self._last_bdp_packets
        self.gain_packets = int(max(gain, SENSITIVITY * self.bdp_packets, MIN_GAIN_PACKETS))

    def _drain(self, now_s: float, packets: int) -> None:
        """Empty the queue, to see the round trip without it."""
        self.is_in_slow_start = False
        self._enter(Mode.DRAIN, now_s, packets)

    def _enter(self, mode: Mode, now_s: float, packets: int) -> None:
        self.mode = mode
        self._mode_began_s = now_s
        self._base_packets = packets if mode is Mode.DRAIN else max(packets, MIN_WINDOW_PACKETS)


SCHEME = Scheme(
    name="tcp-dstar",
    title="TCP D*",
    control="sender",
    family="Model-based",
    summary="Holds the window at one bandwidth-delay product, as BBR means to, and raises it a little to probe.",
    source="Lynn, Ghosal: TCP D*, arXiv 2012.14996",
    make_sender=TcpDstar,
)
