"""What BBR v1 knows of the path: its bandwidth, its round-trip time without a queue, and whether the pipe is full.

Source: draft-cardwell-iccrg-bbr-congestion-control-00 sections 4.1, 4.2.2 and 4.3.2.2; for aggregated ACKs Linux,
net/ipv4/tcp_bbr.c at 02dc96ef.
"""

from __future__ import annotations

from cc.core.base import AckEvent
from cc.core.rounds import RoundCounter
from cc.core.windowed_filter import WindowedMaximum
from cc.sender.bbr.ack_aggregation import AckAggregation
from cc.sender.bbr.probe_rtt import ProbeRtt

FULL_PIPE_GROWTH = 1.25  # section 4.3.2.2
FULL_PIPE_ROUNDS = 3  # section 4.3.2.2
EXTRA_ACKED_MAX_S = 0.1  # Linux, bbr_extra_acked_max_us


def send_quantum_bytes(pacing_rate_bytes_per_s: float, max_datagram_bytes: int) -> float:
    """How much a sender hands to the network at once (BBRSetSendQuantum, section 4.2.2)."""
    if pacing_rate_bytes_per_s < 1.2e6 / 8:
        return max_datagram_bytes
    if pacing_rate_bytes_per_s < 24e6 / 8:
        return 2 * max_datagram_bytes
    return min(pacing_rate_bytes_per_s * 0.001, 64 * 1024)


class PathModel:
    """Learns from every ACK, in order."""

    def __init__(self, *, bandwidth_filter_rounds: int, min_rtt_filter_s: float) -> None:
        self.rounds = RoundCounter()
        self.aggregation = AckAggregation()
        self.probe_rtt = ProbeRtt()
        self.is_round_start = False
        self.is_pipe_full = False
        """BBR.filled_pipe: Startup has found the bandwidth."""
        self.min_rtt_s: float | None = None
        """BBR.RTprop; None before the first sample."""
        self.min_rtt_stamp_s = 0.0
        """When `min_rtt_s` was last seen, or ProbeRTT last done."""
        self.is_min_rtt_expired = False
        """Whether `min_rtt_s` was too old when the last ACK came."""
        self._min_rtt_filter_s = min_rtt_filter_s
        self._bandwidth = WindowedMaximum(bandwidth_filter_rounds)
        self._full_bandwidth = 0.0
        self._full_bandwidth_rounds = 0

    @property
    def bandwidth_bytes_per_s(self) -> float:
        """BBR.BtlBw, the largest delivery rate of late; 0 before the first."""
        return self._bandwidth.best or 0.0

    @property
    def bdp_bytes(self) -> float | None:
        """The bandwidth-delay product; None before there are samples of both."""
        if self.min_rtt_s is None or self._bandwidth.best is None:
            return None
        return self._bandwidth.best * self.min_rtt_s

    @property
    def extra_acked_bytes(self) -> float:
        """What aggregated ACKs need in flight besides; nothing in Startup (Linux, bbr_ack_aggregation_cwnd)."""
        if not self.is_pipe_full:
            return 0.0
        return min(self.aggregation.extra_acked_bytes, self.bandwidth_bytes_per_s * EXTRA_ACKED_MAX_S)

    def on_ack(self, event: AckEvent, *, cwnd_bytes: int) -> None:
        """BBRUpdateModelAndState without the states."""
        self.is_round_start = self.rounds.on_ack(event)
        is_limited = event.acked[-1].is_app_limited or self.probe_rtt.limits(event)
        rate = event.delivery_rate
        if rate is not None and (not is_limited or rate.bytes_per_s >= self.bandwidth_bytes_per_s):
            self._bandwidth.update(rate.bytes_per_s, at=self.rounds.count)
        self.aggregation.on_ack(
            now_s=event.now_s,
            acked_bytes=event.acked_bytes,
            bandwidth_bytes_per_s=self.bandwidth_bytes_per_s,
            cwnd_bytes=cwnd_bytes,
            round_count=self.rounds.count,
        )
        if self.is_round_start and not is_limited and not self.is_pipe_full:
            self._check_full_pipe()
        self._update_min_rtt(event)

    def forget_growth(self) -> None:
        """Forget how it grew: after a timeout Startup looks for the bandwidth anew (Linux, bbr_set_state)."""
        self._full_bandwidth = 0.0

    def _check_full_pipe(self) -> None:
        """BBRCheckFullPipe, section 4.3.2.2."""
        if self.bandwidth_bytes_per_s >= FULL_PIPE_GROWTH * self._full_bandwidth:
            self._full_bandwidth = self.bandwidth_bytes_per_s
            self._full_bandwidth_rounds = 0
            return
        self._full_bandwidth_rounds += 1
        self.is_pipe_full = self._full_bandwidth_rounds >= FULL_PIPE_ROUNDS

    def _update_min_rtt(self, event: AckEvent) -> None:
        """BBRUpdateRTprop, section 4.1.2.3."""
        now_s = event.now_s
        is_expired = self.min_rtt_s is not None and now_s > self.min_rtt_stamp_s + self._min_rtt_filter_s
        self.is_min_rtt_expired = is_expired
        if event.rtt is None or not event.has_rtt_sample:
            return
        rtt_s = event.rtt.latest_s
        if self.min_rtt_s is None or rtt_s <= self.min_rtt_s or is_expired:
            self.min_rtt_s = rtt_s
            self.min_rtt_stamp_s = now_s
