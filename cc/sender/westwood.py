"""TCP Westwood+: NewReno that answers a loss with the window that the measured bandwidth needs, not with half.

L. Grieco, S. Mascolo: Performance Evaluation and Comparison of Westwood+, New Reno, and Vegas TCP Congestion Control,
ACM CCR 34(2), 2004, section 2, with the filter of Linux (net/ipv4/tcp_westwood.c, by the same group): the bandwidth is
what was acknowledged in an interval of one RTT, at least 50 ms, smoothed twice with 7/8 and 1/8.

The smoothed bandwidth lags a window that doubles, so that after a first slow start on a fast or long path NewReno is
well ahead: 96 of 100 Mbit/s over 40 ms where Westwood+ has 52, and 22 of 24 over 300 ms where it has 4.

Deviations:

- Half of the largest ACK of late comes on top of bandwidth times RTTmin: so much of a window waits at the receiver for
  its ACK, on average. A receiver that acknowledges every tenth packet would else make each loss cost a quarter of a
  small window; with 1 % loss at 24 Mbit/s Westwood+ sends 3.4 Mbit/s without this, 8.2 with it, and 8.9 to a receiver
  that acknowledges each packet (NewReno: 2.5 and 3.2).
- A loss sets bandwidth times RTTmin at once, as the paper has it. Linux halves the window, and sets it when recovery
  ends, a round trip of samples later. With that, tried in this file, those two paths carry 60 and 6 Mbit/s, but with
  1 % loss at 24 Mbit/s Westwood+ has 4.5 in place of 7.7: nearly every round trip is one at half the window.
- The window never grows by a loss (Linux sets it to bandwidth times RTTmin even where it was smaller), and shrinks by a
  byte at least, since `cc.core.window` wants every loss answered.
- While nothing is known of the bandwidth a loss halves the window; Linux would fall to two packets.
- RTTmin is forgotten on persistent congestion, which stands for Linux's timeout.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.ack_size import AckSize
from cc.core.base import AckEvent, LossEvent
from cc.core.random_source import RandomSource
from cc.core.rounds import RoundCounter
from cc.core.scheme import Scheme
from cc.core.window import WindowScheme

INTERVAL_MIN_S = 0.050  # TCP_WESTWOOD_RTT_MIN: shorter intervals measure bursts
OLD_SHARE = 7 / 8  # westwood_do_filter
UNKNOWN_REDUCTION_FACTOR = 0.5


class BandwidthFilter:
    """What arrives, smoothed (section 2.2)."""

    __slots__ = ("_acked_bytes", "_began_s", "_once_bytes_per_s", "bytes_per_s")

    def __init__(self) -> None:
        self._acked_bytes = 0
        self._began_s: float | None = None
        self._once_bytes_per_s: float | None = None
        self.bytes_per_s: float | None = None
        """Smoothed twice; None before the first interval is over."""

    def on_ack(self, acked_bytes: int, *, rtt_s: float, now_s: float) -> None:
        """An interval ends with the ACK that finds it longer than an RTT; what that ACK brings counts in the next."""
        if self._began_s is None:
            self._began_s = now_s
        elapsed_s = now_s - self._began_s
        if elapsed_s > max(rtt_s, INTERVAL_MIN_S):
            self._take(self._acked_bytes / elapsed_s)
            self._acked_bytes = 0
            self._began_s = now_s
        self._acked_bytes += acked_bytes

    def _take(self, sample_bytes_per_s: float) -> None:
        if self._once_bytes_per_s is None or self.bytes_per_s is None:
            self._once_bytes_per_s = self.bytes_per_s = sample_bytes_per_s
        else:
            self._once_bytes_per_s += (1 - OLD_SHARE) * (sample_bytes_per_s - self._once_bytes_per_s)
            self.bytes_per_s += (1 - OLD_SHARE) * (self._once_bytes_per_s - self.bytes_per_s)


class Westwood(WindowScheme):
    """Additive increase, adaptive decrease."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._bandwidth = BandwidthFilter()
        self._rtt_min_s: float | None = None
        self._rounds = RoundCounter()
        self._ack_size = AckSize()

    @property
    def pipe_bytes(self) -> float | None:
        """What is in flight without a queue: bandwidth times RTTmin, and what waits for its ACK; None while unknown."""
        bandwidth_bytes_per_s = self._bandwidth.bytes_per_s
        if bandwidth_bytes_per_s is None or self._rtt_min_s is None:
            return None
        return bandwidth_bytes_per_s * self._rtt_min_s + self._ack_size.bytes / 2

    def on_ack(self, event: AckEvent) -> None:
        self._rounds.on_ack(event)
        self._ack_size.on_ack(event, rounds=self._rounds.count)
        if event.rtt is not None:
            if event.has_rtt_sample:
                rtt_s = event.rtt.latest_s
                self._rtt_min_s = rtt_s if self._rtt_min_s is None else min(self._rtt_min_s, rtt_s)
            self._bandwidth.on_ack(event.acked_bytes, rtt_s=event.rtt.latest_s, now_s=event.now_s)
        super().on_ack(event)

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        """One packet more for each window acknowledged, as NewReno has it."""
        return self._window_bytes + self.max_datagram_bytes * acked_bytes / self._window_bytes

    def reduced_window_bytes(self, event: LossEvent) -> float:
        """Section 2.1: ssthresh = BWE * RTTmin."""
        pipe_bytes = self.pipe_bytes
        if pipe_bytes is None:
            return self._window_bytes * UNKNOWN_REDUCTION_FACTOR
        return min(pipe_bytes, self._window_bytes - 1)

    def on_window_collapse(self) -> None:
        self._rtt_min_s = None

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            **super().log_fields(),
            "bandwidth_bytes_per_s": self._bandwidth.bytes_per_s,
            "rtt_min_s": self._rtt_min_s,
        }


SCHEME = Scheme(
    name="westwood",
    title="Westwood+",
    control="sender",
    family="Loss-based",
    summary="NewReno that falls, after a loss, to what the measured bandwidth needs.",
    source="Grieco, Mascolo: Westwood+, ACM CCR 34(2), 2004",
    make_sender=Westwood,
)
