"""What BBR v3 knows of the path, in the long term and since the last losses.

Source: draft-ietf-ccwg-bbr-06 section 5.5. Bounds that the draft has at infinity are None here.
"""

from __future__ import annotations

from cc.core.base import AckEvent, LossEvent
from cc.core.rounds import RoundCounter
from cc.core.windowed_filter import WindowedMaximum
from cc.sender.bbr.ack_aggregation import FILTER_ROUNDS, AckAggregation
from cc.sender.bbr.probe_rtt import ProbeRtt

BETA = 0.7  # BBR.Beta: as gentle as CUBIC
MAX_BANDWIDTH_CYCLES = 2  # BBR.MaxBwFilterLen
FULL_BANDWIDTH_GROWTH = 1.25  # section 5.3.1.2
FULL_BANDWIDTH_ROUNDS = 3  # section 5.3.1.2
MIN_RTT_FILTER_S = 10.0  # BBR.MinRTTFilterLen
PROBE_RTT_INTERVAL_S = 5.0  # BBR.ProbeRTTInterval


class Bbr3Model:
    """Learns from every ACK, in order."""

    def __init__(self) -> None:
        self.rounds = RoundCounter()
        self.is_round_start = False
        self.delivered_bytes = 0
        """Delivered on the connection, when the last ACK came."""
        self.aggregation = AckAggregation()
        self.probe_rtt = ProbeRtt()
        self.bandwidth_shortterm: float | None = None
        """BBR.bw_shortterm, bytes/s."""
        self.inflight_shortterm_bytes: float | None = None
        self.is_full_bandwidth_reached = False
        """Ever."""
        self.is_full_bandwidth_now = False
        """Since `restart_full_bandwidth`."""
        self.min_rtt_s: float | None = None
        self.probe_rtt_min_stamp_s = 0.0
        """When the shortest round trip of late was seen, or ProbeRTT last done."""
        self.is_probe_rtt_due = False
        self.is_loss_round_start = False
        self.inflight_latest_bytes = 0
        """The most delivered in a round trip, in the last round trip."""
        self._bandwidth_latest = 0.0
        self.loss_ranges_last_round = 0
        """Runs of consecutive packets lost in the round trip that this ACK ended; 0 in between."""
        self._loss_ranges = 0
        self._is_loss_in_round = False
        self._loss_round_delivered_bytes = 0
        self._window_full_round: int | None = None
        self._max_bandwidth = WindowedMaximum(MAX_BANDWIDTH_CYCLES - 1)
        self._cycle_count = 0
        self._full_bandwidth = 0.0
        self._full_bandwidth_rounds = 0
        self._min_rtt_stamp_s = 0.0
        self._probe_rtt_min_s: float | None = None

    @property
    def max_bandwidth_bytes_per_s(self) -> float:
        """BBR.max_bw, of this and the last cycle of ProbeBW; 0 before the first sample."""
        return self._max_bandwidth.best or 0.0

    @property
    def bandwidth_bytes_per_s(self) -> float:
        """BBR.bw; 0 before the first sample."""
        bandwidth = self.max_bandwidth_bytes_per_s
        return bandwidth if self.bandwidth_shortterm is None else min(bandwidth, self.bandwidth_shortterm)

    @property
    def bdp_bytes(self) -> float | None:
        """BBR.bdp; None before there are samples."""
        bandwidth = self.bandwidth_bytes_per_s
        return None if self.min_rtt_s is None or bandwidth == 0 else bandwidth * self.min_rtt_s

    def on_ack(self, event: AckEvent, *, cwnd_bytes: int, is_accelerating: bool) -> None:
        """UpdateLatestDeliverySignals, UpdateCongestionSignals and UpdateACKAggregation (section 5.2.3)."""
        newest = event.acked[-1]
        self.delivered_bytes = event.delivered_bytes
        rate = 0.0 if event.delivery_rate is None else event.delivery_rate.bytes_per_s
        self._bandwidth_latest = max(self._bandwidth_latest, rate)
        self.inflight_latest_bytes = max(self.inflight_latest_bytes, event.delivered_bytes - newest.delivered_bytes)
        self.is_loss_round_start = newest.delivered_bytes >= self._loss_round_delivered_bytes
        self.loss_ranges_last_round = 0
        if self.is_loss_round_start:
            self._loss_round_delivered_bytes = event.delivered_bytes
            self.loss_ranges_last_round, self._loss_ranges = self._loss_ranges, 0
        self.is_round_start = self.rounds.on_ack(event)
        if rate > 0 and (rate >= self.max_bandwidth_bytes_per_s or not self.is_limited(event)):
            self._max_bandwidth.update(rate, at=self._cycle_count)
        if self.is_loss_round_start:
            if self._is_loss_in_round and not is_accelerating:
                self._adapt_lower_bounds(cwnd_bytes)
            self._is_loss_in_round = False
        self.aggregation.on_ack(
            now_s=event.now_s,
            acked_bytes=event.acked_bytes,
            bandwidth_bytes_per_s=self.bandwidth_bytes_per_s,
            cwnd_bytes=cwnd_bytes,
            round_count=self.rounds.count,
            filter_rounds=FILTER_ROUNDS if self.is_full_bandwidth_reached else 1,
        )
        self._check_full_bandwidth(event, rate)

    def end_ack(self, event: AckEvent) -> None:
        """AdvanceLatestDeliverySignals, section 5.5.10.3."""
        if self.is_loss_round_start:
            self._bandwidth_latest = 0.0 if event.delivery_rate is None else event.delivery_rate.bytes_per_s
            self.inflight_latest_bytes = event.delivered_bytes - event.acked[-1].delivered_bytes

    def on_loss(self, event: LossEvent) -> None:
        """NoteLoss, section 5.5.10.2."""
        if not self._is_loss_in_round:
            self._loss_round_delivered_bytes = self.delivered_bytes
        self._is_loss_in_round = True
        numbers = {packet.packet_number for packet in event.lost}
        self._loss_ranges += sum(number - 1 not in numbers for number in numbers)

    def note_full_window(self) -> None:
        """The window allows no further packet."""
        self._window_full_round = self.rounds.count

    @property
    def is_window_limited(self) -> bool:
        """C.is_cwnd_limited: the window was full within the last round trip."""
        return self._window_full_round is not None and self.rounds.count - self._window_full_round <= 1

    def reset_congestion_signals(self) -> None:
        """ResetCongestionSignals, section 5.5.10.3."""
        self._is_loss_in_round = False
        self._bandwidth_latest = 0.0
        self.inflight_latest_bytes = 0

    def reset_shortterm(self) -> None:
        """ResetShortTermModel, section 5.5.10.3."""
        self.bandwidth_shortterm = self.inflight_shortterm_bytes = None

    def advance_max_bandwidth(self) -> None:
        """AdvanceMaxBwFilter, section 5.5.6: the next sample lets the cycle before the last be forgotten."""
        self._cycle_count += 1

    def restart_full_bandwidth(self, event: AckEvent) -> None:
        """ResetFullBW, section 5.3.1.2, with the present rate for a baseline."""
        self._full_bandwidth = 0.0 if event.delivery_rate is None else event.delivery_rate.bytes_per_s
        self._full_bandwidth_rounds = 0
        self.is_full_bandwidth_now = False

    def is_limited(self, event: AckEvent) -> bool:
        """Whether the application or ProbeRTT, rather than the path, held back what the ACK tells of."""
        return event.acked[-1].is_app_limited or self.probe_rtt.limits(event)

    def update_min_rtt(self, event: AckEvent) -> None:
        """UpdateMinRTT, section 5.3.4.3."""
        now_s = event.now_s
        rtt_s = event.rtt.latest_s if event.rtt is not None and event.has_rtt_sample else None
        shortest_s = self._probe_rtt_min_s
        self.is_probe_rtt_due = shortest_s is not None and now_s > self.probe_rtt_min_stamp_s + PROBE_RTT_INTERVAL_S
        if rtt_s is not None and (shortest_s is None or rtt_s < shortest_s or self.is_probe_rtt_due):
            self._probe_rtt_min_s = rtt_s
            self.probe_rtt_min_stamp_s = now_s
        shortest_s = self._probe_rtt_min_s
        is_expired = now_s > self._min_rtt_stamp_s + MIN_RTT_FILTER_S
        if shortest_s is not None and (self.min_rtt_s is None or shortest_s < self.min_rtt_s or is_expired):
            self.min_rtt_s = shortest_s
            self._min_rtt_stamp_s = self.probe_rtt_min_stamp_s

    def _adapt_lower_bounds(self, cwnd_bytes: int) -> None:
        """InitLowerBounds and LossLowerBounds, section 5.5.10.3."""
        bandwidth, inflight_bytes = self.bandwidth_shortterm, self.inflight_shortterm_bytes
        bandwidth = self.max_bandwidth_bytes_per_s if bandwidth is None else bandwidth
        inflight_bytes = cwnd_bytes if inflight_bytes is None else inflight_bytes
        self.bandwidth_shortterm = max(self._bandwidth_latest, BETA * bandwidth)
        self.inflight_shortterm_bytes = max(self.inflight_latest_bytes, BETA * inflight_bytes)

    def _check_full_bandwidth(self, event: AckEvent, rate: float) -> None:
        """CheckFullBWReached, section 5.3.1.2."""
        if self.is_full_bandwidth_now or not self.is_round_start or rate == 0 or self.is_limited(event):
            return
        if rate >= FULL_BANDWIDTH_GROWTH * self._full_bandwidth:
            self.restart_full_bandwidth(event)
            return
        self._full_bandwidth_rounds += 1
        if self._full_bandwidth_rounds >= FULL_BANDWIDTH_ROUNDS:
            self.is_full_bandwidth_now = self.is_full_bandwidth_reached = True
