"""BBRPlus: BBR v1 that probes for bandwidth at random intervals, and drains until the queue is gone.

Source: tcp_bbrplus.c of cx9208/bbrplus at 8e46a57 (Linux 4.14, by dog250). Against the BBR of its time it has, after
Google's own development branch, `bbr_drain_to_target_cycling` and a compensation for aggregated ACKs, which
`cc.sender.bbr.bbr` has from a later Linux. It has not the pacing margin of 1 %.

Deviations, besides those of `cc.sender.bbr.bbr`:

- The compensation looks ten round trips back; the patch ten to twenty.
- The probing phase also ends there when there is nothing to send at the moment; a scheme is told only that there was
  nothing when what is now acknowledged was sent.
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.base import AckEvent
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.bbr.bbr import Bbr

CYCLE_LENGTH_MAX_RTTS = 8  # CYCLE_LEN
CYCLE_LENGTH_CHOICES = 7  # bbr_cycle_rand: 2 to 8
PROBE_UP, PROBE_DOWN, CRUISE = 0, 1, 2  # places in the gain cycle


class BbrPlus(Bbr):
    """BBR with cycles of two to eight minimum RTTs."""

    pacing_margin: ClassVar[float] = 0.0

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._cycle_length_rtts = 0

    def check_phase(self, event: AckEvent) -> None:
        """bbr_drain_to_target_cycling; here `phase_began_s` is when the cycle began."""
        min_rtt_s = self.model.min_rtt_s or 0.0
        elapsed_s = event.now_s - self.phase_began_s
        if elapsed_s > self._cycle_length_rtts * min_rtt_s:
            self.phase_began_s = event.now_s
            self._cycle_length_rtts = CYCLE_LENGTH_MAX_RTTS - int(self.rng.random() * CYCLE_LENGTH_CHOICES)
            self.cycle_index = PROBE_UP
        elif self.cycle_index == PROBE_UP:
            if elapsed_s > min_rtt_s and self._has_probed(event):
                self.cycle_index = PROBE_DOWN
        elif self.cycle_index == PROBE_DOWN and event.prior_bytes_in_flight <= self.inflight_bytes(1.0):
            self.cycle_index = CRUISE

    def _has_probed(self, event: AckEvent) -> bool:
        has_filled = event.prior_bytes_in_flight >= self.inflight_bytes(self.probe_bw_gain())
        return has_filled or self._lost_since_ack or event.acked[-1].is_app_limited


SCHEME = Scheme(
    name="bbrplus",
    title="BBRPlus",
    control="sender",
    family="Model-based",
    summary="BBR v1 that probes every two to eight round trips at random, and drains until the queue is gone.",
    source="cx9208/bbrplus, tcp_bbrplus.c",
    make_sender=BbrPlus,
)
