"""TCP Inigo: DCTCP's answer to marks, with an RTT above 1.17 times the smallest for a mark.

A. Shewmaker, systemslab/tcp_inigo (tcp_inigo.c, commit b3592ff), its `inigo_rtt` half, which serves where no router
marks packets. The share of late RTTs, smoothed by 1/16, is alpha; a window w gives back w alpha/2, divided by the
number of groups of ten packets in it, and gains two packets in a round trip. As long as alpha is not 0 it does not
grow. The integers are the source's: alpha counts 1024ths and falls to 0 below 16 of them, the window counts packets,
and all is rounded down, so that a small alpha takes nothing.

Deviations:

- A reduction acts at once; Linux spreads it over the round trip that it lasts (PRR). Nothing grows in that round trip,
  in either.
- An RTT comes with each ACK, as in the source, but an ACK is for ten packets. Eight of them, without which slow start
  does not end, may take 80 packets. Alpha is looked at when the packets acknowledged have passed a multiple of ten; the
  source looks when they are one, which ACKs of three or nine packets hardly ever make them.
- A loss takes what alpha says, and so nothing where no RTT is late: the source's rule. With a queue shorter than 17 %
  of the RTT that lost 78 % of all packets, which Linux's retransmission timer would not have let pass. So the window is
  halved where more than 30 % of a round trip's packets are lost.
- Starts with RFC 9002's window. Persistent congestion stands for the retransmission timeout, and leaves two packets.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme
from cc.core.random_source import RandomSource
from cc.core.rounds import RoundCounter
from cc.core.scheme import Scheme
from cc.core.window import initial_window_bytes

ALPHA_MAX = 1024  # DCTCP_MAX_ALPHA
SHIFT_G = 4  # inigo_shift_g: g = 1/16
MARK_THRESHOLD = 174  # markthresh: in 1024ths of the smallest RTT
SLOW_START_OBSERVATIONS = 8  # slowstart_rtt_observations_needed
FAIRNESS_PACKETS = 10  # rtt_fairness
GROWTH_PACKETS = 2  # in each window acknowledged
HEAVY_LOSS_RATIO = 0.3  # as Copa's authors have it
HEAVY_LOSS_PACKETS_MIN = 20  # fewer tell nothing of a ratio


class Inigo(SenderScheme):
    """A window in packets, and the share of RTTs that were late."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._window_packets = initial_window_bytes(self.max_datagram_bytes) // self.max_datagram_bytes
        self._ssthresh_packets: int | None = None
        self._alpha = 0
        self._rtt_min_s: float | None = None
        self._rtts_late = 0
        self._rtts_observed = 0
        self._acked_packets = 0
        """Since the window last grew (snd_cwnd_cnt)."""
        self._groups_seen = 0
        """Whole groups of ten of these at the last look at alpha."""
        self._reduction_s: float | None = None
        """When the present reduction began; None outside one."""
        self._is_recovering = False
        self._rounds = RoundCounter()
        self._judged_delivered_bytes = 0
        self._judged_lost_bytes = 0
        """Both of the path, when losses were judged last."""

    @property
    def cwnd_bytes(self) -> int:
        return self._window_packets * self.max_datagram_bytes

    @property
    def alpha(self) -> float:
        """The smoothed share of late RTTs."""
        return self._alpha / ALPHA_MAX

    @property
    def phase(self) -> Phase:
        if self._reduction_s is not None and self._is_recovering:
            return Phase.RECOVERY
        if self._ssthresh_packets is None or self._window_packets < self._ssthresh_packets:
            return Phase.SLOW_START
        return Phase.AVOIDANCE

    def on_ack(self, event: AckEvent) -> None:
        newest = event.acked[-1]
        if event.rtt is not None and event.has_rtt_sample:
            self._observe(event.rtt.latest_s)
        if self._rounds.on_ack(event):
            self._judge_losses(event)
        if self._reduction_s is not None:
            if newest.sent_time_s <= self._reduction_s:
                return
            self._reduction_s = None
        if not event.is_app_limited:
            self._avoid_congestion(len(event.acked), now_s=event.now_s)

    def on_loss(self, event: LossEvent) -> None:
        if self._reduction_s is None:
            self._acked_packets = self._groups_seen = 0
            self._begin_reduction(now_s=event.now_s, is_recovering=True)
        if event.is_persistent_congestion:
            self._set_window(MINIMUM_WINDOW_PACKETS)
            self._reduction_s = None

    def log_fields(self) -> Mapping[str, float | None]:
        ssthresh = self._ssthresh_packets
        return {
            "ssthresh_bytes": None if ssthresh is None else float(ssthresh * self.max_datagram_bytes),
            "alpha": self.alpha,
            "rtt_min_s": self._rtt_min_s,
        }

    def _observe(self, rtt_s: float) -> None:
        """inigo_pkts_acked."""
        self._rtts_observed += 1
        self._rtt_min_s = rtt_s if self._rtt_min_s is None else min(self._rtt_min_s, rtt_s)
        if rtt_s > self._rtt_min_s * (1 + MARK_THRESHOLD / 1024):
            self._rtts_late += 1

    def _avoid_congestion(self, acked_packets: int, *, now_s: float) -> None:
        """inigo_cong_avoid: slow start up to ssthresh while nothing is late, then additive increase."""
        ssthresh = self._ssthresh_packets
        if ssthresh is None or self._window_packets <= ssthresh:
            if self._rtts_observed >= SLOW_START_OBSERVATIONS and self._is_congested():
                self._begin_reduction(now_s=now_s, is_recovering=False)
                return
            before = self._window_packets
            grown = before + acked_packets
            self._window_packets = grown if ssthresh is None else min(grown, ssthresh + 1)
            acked_packets -= self._window_packets - before
        if acked_packets > 0:
            self._increase_additively(acked_packets, now_s=now_s)

    def _increase_additively(self, acked_packets: int, *, now_s: float) -> None:
        """inigo_cong_avoid_ai: two packets for each window, a look at alpha for each ten packets."""
        window = self._window_packets
        if self._acked_packets >= window:
            self._window_packets += GROWTH_PACKETS
            self._acked_packets = self._groups_seen = 0
        groups = self._acked_packets // min(window, FAIRNESS_PACKETS)
        is_look_due = groups > self._groups_seen
        self._groups_seen = groups
        if is_look_due and self._is_congested():
            self._begin_reduction(now_s=now_s, is_recovering=False)
        if self._acked_packets < window:
            self._acked_packets += acked_packets

    def _is_congested(self) -> bool:
        """inigo_update_rtt_alpha: alpha = (1 - g) alpha + g F, and whether it is more than 0."""
        alpha = self._alpha
        alpha -= (alpha >> SHIFT_G) or alpha
        marks = (self._rtts_late << (10 - SHIFT_G)) // max(1, self._rtts_observed)
        self._alpha = min(alpha + marks, ALPHA_MAX)
        return self._alpha > 0

    def _begin_reduction(self, *, now_s: float, is_recovering: bool) -> None:
        """inigo_enter_cwr and inigo_rtt_ssthresh."""
        window = self._window_packets
        groups = -(-window // FAIRNESS_PACKETS)
        self._ssthresh_packets = max(window - ((window * self._alpha) >> 11) // groups, MINIMUM_WINDOW_PACKETS)
        self._set_window(self._ssthresh_packets)
        self._rtts_late = self._rtts_observed = 0
        self._reduction_s = now_s
        self._is_recovering = is_recovering

    def _judge_losses(self, event: AckEvent) -> None:
        lost_bytes = event.total_lost_bytes - self._judged_lost_bytes
        sent_bytes = event.delivered_bytes - self._judged_delivered_bytes + lost_bytes
        if sent_bytes < HEAVY_LOSS_PACKETS_MIN * self.max_datagram_bytes:
            return
        self._judged_delivered_bytes, self._judged_lost_bytes = event.delivered_bytes, event.total_lost_bytes
        if lost_bytes > HEAVY_LOSS_RATIO * sent_bytes:
            self._ssthresh_packets = max(self._window_packets // 2, MINIMUM_WINDOW_PACKETS)
            self._set_window(self._ssthresh_packets)

    def _set_window(self, window_packets: int) -> None:
        if window_packets < self._window_packets:
            self._window_packets = window_packets
            self.window_resets += 1


SCHEME = Scheme(
    name="inigo",
    title="TCP Inigo",
    control="sender",
    family="Delay-based",
    summary="As DCTCP, with RTTs above 1.17 times the smallest for marks: keeps that much queue.",
    source="Shewmaker, systemslab/tcp_inigo",
    make_sender=Inigo,
)
