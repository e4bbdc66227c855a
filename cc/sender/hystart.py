"""HyStart++ (RFC 9406): leave slow start when the RTT grows, before the queue overflows.

Deviations:

- A round ends when a packet sent after its first ACK is acknowledged, recognised by its `delivered_bytes`;
  the RFC's sequence number (section 4.2) differs from it by one packet.
- Limit L is infinite, as the RFC says for senders that pace.
- The RTT is the ACK's sample; a receiver that acknowledges every tenth packet gives fewer than
  `RTT_SAMPLES_MIN` in rounds of less than eighty packets, which then decide nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import AckEvent
from cc.core.rounds import RoundCounter
from cc.core.slow_start import SlowStart

# RFC 9406 section 4.3
RTT_THRESHOLD_MIN_S = 0.004
RTT_THRESHOLD_MAX_S = 0.016
RTT_DIVISOR_MIN = 8
RTT_SAMPLES_MIN = 8
CSS_GROWTH_DIVISOR = 4
CSS_ROUNDS = 5


class HyStart(SlowStart):
    """Slow start that turns conservative (CSS) when delay rises, and ends if the rise lasts."""

    def __init__(self) -> None:
        self._rounds = RoundCounter()
        self._samples = 0
        self._round_min_rtt_s: float | None = None
        self._last_round_min_rtt_s: float | None = None
        self._css_baseline_rtt_s: float | None = None
        self._css_rounds = 0
        self._is_over = False

    @property
    def is_over(self) -> bool:
        return self._is_over

    @property
    def is_conservative(self) -> bool:
        """Whether it is in Conservative Slow Start (section 4.2)."""
        return self._css_baseline_rtt_s is not None

    def growth_bytes(self, event: AckEvent, *, acked_bytes: int, is_initial: bool) -> float:
        if not is_initial:  # only the first slow start looks for its end (section 4.3)
            return acked_bytes
        if self._rounds.on_ack(event):
            self._begin_round()
        growth = acked_bytes / CSS_GROWTH_DIVISOR if self.is_conservative else acked_bytes
        if event.has_rtt_sample and event.rtt is not None and not self._is_over:
            self._sample(event.rtt.latest_s)
        return growth

    def log_fields(self) -> Mapping[str, float | None]:
        return {"hystart_css_rounds": self._css_rounds}

    def _begin_round(self) -> None:
        self._last_round_min_rtt_s = self._round_min_rtt_s
        self._round_min_rtt_s = None
        self._samples = 0
        if self.is_conservative:
            self._css_rounds += 1
            self._is_over = self._css_rounds >= CSS_ROUNDS

    def _sample(self, rtt_s: float) -> None:
        self._samples += 1
        if self._round_min_rtt_s is None or rtt_s < self._round_min_rtt_s:
            self._round_min_rtt_s = rtt_s
        if self._samples < RTT_SAMPLES_MIN:
            return
        if self._css_baseline_rtt_s is not None:
            if self._round_min_rtt_s < self._css_baseline_rtt_s:  # the rise was spurious: resume
                self._css_baseline_rtt_s = None
                self._css_rounds = 0
            return
        last_s = self._last_round_min_rtt_s
        if last_s is None:
            return
        threshold_s = max(RTT_THRESHOLD_MIN_S, min(last_s / RTT_DIVISOR_MIN, RTT_THRESHOLD_MAX_S))
        if self._round_min_rtt_s >= last_s + threshold_s:
            self._css_baseline_rtt_s = self._round_min_rtt_s
            self._css_rounds = 0
