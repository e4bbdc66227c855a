"""BBR-ACD: BBR v1 that takes a loss for congestion only where the round-trip time says so too, and then answers it.

Source: Mahmud, Kim, Lubna et al.: BBR-ACD: BBR with advanced congestion detection, Electronics 9(1), 2020, and the
author's module, tcp_bbr.c of imtiaztee/BBR-ACD-Linux-Kernel-Code at 15413af, from which conditions and constants are.
Congestion is a round trip of more than twice the minimum, or three in a row above the minimum that differ by 1 ms at
most: a standing queue. A loss with congestion halves the window at every ACK for a round trip, to one BDP at most; a
loss without takes the lost packets off the window.

Deviations: those of `cc.sender.bbr.bbr`, whose compensation for aggregated ACKs and pacing margin the authors' Linux
4.14 had not.
"""

from __future__ import annotations

from cc.core.base import AckEvent, LossEvent
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.bbr.bbr import Bbr

STEADY_S = 0.001
STEADY_ROUND_TRIPS = 2  # after the first
LONG_RTT_GAIN = 2


class BbrAcd(Bbr):
    """BBR with a second opinion on losses."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self.is_congested = False
        """Whether the round trips alone say so (bbr_probe_congestion)."""
        self._last_rtt_s: float | None = None
        self._steady_rtts = 0

    def on_ack(self, event: AckEvent) -> None:
        super().on_ack(event)
        min_rtt_s = self.model.min_rtt_s
        if event.rtt is None or not event.has_rtt_sample or min_rtt_s is None:
            return
        rtt_s, last_s = event.rtt.latest_s, self._last_rtt_s
        is_steady = rtt_s > min_rtt_s and last_s is not None and abs(rtt_s - last_s) <= STEADY_S
        self._steady_rtts = self._steady_rtts + 1 if is_steady else 0
        self._last_rtt_s = rtt_s
        self.is_congested = self._steady_rtts >= STEADY_ROUND_TRIPS or rtt_s > LONG_RTT_GAIN * min_rtt_s

    def enter_recovery(self, event: LossEvent) -> None:
        """bbr_set_cwnd_to_recover_or_restore."""
        self._set_window(self._window_bytes - event.lost_bytes)
        if self.is_congested and self._last_ack is not None:
            self._set_window(self._halved_window_bytes())
            self._conserves_packets = True
            self.model.rounds.restart(self._last_ack.delivered_bytes)

    def conserving_window_bytes(self, event: AckEvent) -> float:
        return self._halved_window_bytes()

    def _halved_window_bytes(self) -> float:
        return max(min(self._window_bytes / 2, self.inflight_bytes(1.0)), self._min_pipe_bytes)


SCHEME = Scheme(
    name="bbr-acd",
    title="BBR-ACD",
    control="sender",
    family="Model-based",
    summary="BBR v1 that halves its window on a loss while round trips are long or steady: then it is congestion.",
    source="Mahmud, Kim, Lubna et al.: BBR-ACD, Electronics 9(1), 2020",
    make_sender=BbrAcd,
)
