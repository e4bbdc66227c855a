"""TCP-Illinois: losses say when to fall, delays say how far, and how fast to grow.

Source: S. Liu, T. Basar, R. Srikant: TCP-Illinois: A loss- and delay-based congestion control algorithm for
high-speed networks, Performance Evaluation 65(6-7), 2008, sections 3 and 4, with the paper's numbers: with short
queues the window grows by 10 packets each round trip and keeps 7/8 after a loss, with long ones by 0.3 and keeps
half.

Deviations: once a round trip has had a short queue for five in a row alpha returns to its maximum (theta, as in
section 4). Losses and slow start are QUIC's (`cc.sender.additive_increase`).
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import AckEvent, LossEvent
from cc.core.random_source import RandomSource
from cc.core.rounds import RoundCounter
from cc.core.scheme import Scheme
from cc.sender.additive_increase import AdditiveIncrease

ALPHA_MIN, ALPHA_MAX = 0.3, 10.0
BETA_MIN, BETA_MAX = 0.125, 0.5
RENO_BELOW_PACKETS = 15  # W_thresh
# shares of the largest queueing delay
ALPHA_FALLS_ABOVE = 0.01  # eta_1
BETA_RISES_ABOVE = 0.1  # eta_2
BETA_IS_LARGEST_ABOVE = 0.8  # eta_3
SHORT_ROUNDS = 5  # theta


def alpha_of(delay_s: float, largest_delay_s: float) -> float:
    """f1 of section 3: packets each round trip, for an average queueing delay."""
    short_s = ALPHA_FALLS_ABOVE * largest_delay_s
    if delay_s <= short_s:
        return ALPHA_MAX
    k1 = (largest_delay_s - short_s) * ALPHA_MIN * ALPHA_MAX / (ALPHA_MAX - ALPHA_MIN)
    k2 = (largest_delay_s - short_s) * ALPHA_MIN / (ALPHA_MAX - ALPHA_MIN) - short_s
    return k1 / (k2 + delay_s)


def beta_of(delay_s: float, largest_delay_s: float) -> float:
    """f2 of section 3: the share of the window that a loss takes, for an average queueing delay."""
    if largest_delay_s <= 0:
        return BETA_MIN
    share = (delay_s / largest_delay_s - BETA_RISES_ABOVE) / (BETA_IS_LARGEST_ABOVE - BETA_RISES_ABOVE)
    return BETA_MIN + (BETA_MAX - BETA_MIN) * max(0.0, min(share, 1.0))


class Illinois(AdditiveIncrease):
    """Numbers by the queueing delay."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._rounds = RoundCounter()
        self._smallest_rtt_s: float | None = None
        self._largest_rtt_s = 0.0
        self._sum_s = 0.0
        self._samples = 0
        self._short_rounds = 0
        self._alpha = ALPHA_MAX
        self._beta = BETA_MIN

    def on_ack(self, event: AckEvent) -> None:
        if event.rtt is not None and event.has_rtt_sample:
            rtt_s = event.rtt.latest_s
            self._smallest_rtt_s = rtt_s if self._smallest_rtt_s is None else min(self._smallest_rtt_s, rtt_s)
            self._largest_rtt_s = max(self._largest_rtt_s, rtt_s)
            self._sum_s += rtt_s
            self._samples += 1
        if self._rounds.on_ack(event) and self._samples > 0:
            self._end_round()
        super().on_ack(event)

    def increase_packets(self, event: AckEvent) -> float:
        return 1.0 if self.window_packets < RENO_BELOW_PACKETS else self._alpha

    def kept_share(self, event: LossEvent) -> float:
        return 1 - (BETA_MAX if self.window_packets < RENO_BELOW_PACKETS else self._beta)

    def on_window_collapse(self) -> None:
        """The largest delay is of a path that may be another; until one is known it is Reno."""
        self._smallest_rtt_s = None
        self._largest_rtt_s = self._sum_s = 0.0
        self._samples = self._short_rounds = 0
        self._alpha, self._beta = 1.0, BETA_MAX

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), "alpha": self._alpha, "beta": self._beta}

    def _end_round(self) -> None:
        assert self._smallest_rtt_s is not None
        largest_delay_s = self._largest_rtt_s - self._smallest_rtt_s
        delay_s = self._sum_s / self._samples - self._smallest_rtt_s
        self._sum_s, self._samples = 0.0, 0
        alpha = alpha_of(delay_s, largest_delay_s)
        if alpha < ALPHA_MAX:
            self._short_rounds = 0
            self._alpha = alpha
        elif self._alpha < ALPHA_MAX:
            self._short_rounds += 1
            if self._short_rounds >= SHORT_ROUNDS:
                self._alpha = ALPHA_MAX
        self._beta = beta_of(delay_s, largest_delay_s)


SCHEME = Scheme(
    name="illinois",
    title="Illinois",
    control="sender",
    family="Loss-based",
    summary="A loss-based window whose steps follow delay: fast with short queues, slow and cautious with long ones.",
    source="Liu, Basar, Srikant: TCP-Illinois, Performance Evaluation 65(6-7), 2008",
    make_sender=Illinois,
)
