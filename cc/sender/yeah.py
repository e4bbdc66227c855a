"""YeAH: Scalable while the queue is short, Reno while it is long, and gives back what it queued before losses come.

Source: A. Baiocchi, A. Castellani, F. Vacirca: YeAH-TCP: Yet Another Highspeed TCP, PFLDnet 2007, section 2:

- Fast, as Scalable TCP, while fewer than 80 packets queue and the queue delays by less than an eighth of the base
  RTT.
- Slow, as Reno, otherwise. With more than 80 packets in the queue the window gives them back in a round trip
  (precautionary decongestion), half of itself at most, but never below what a Reno flow beside it would have.
- A loss takes what queued, at least an eighth and at most half. Beside greedy flows (16 round trips slow in a row)
  half.

Deviations:

- The backlog is w (1 - baseRTT/RTT) by the round trip's smallest RTT, with w of then (`cc.sender.backlog`).
- Fast below 100 packets is Reno, too; Scalable's hundredth would be less.
- Linux's numbers (Reno's count is forgotten after 50 fast round trips) where the paper gives none.
- What is QUIC's: see `cc.sender.additive_increase`.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.backlog import BacklogWindow
from cc.sender.scalable import INCREASE_PER_ACK

QUEUE_PACKETS = 80  # Q_max
DELAY_SHARE = 1 / 8  # 1 / phi
GIVEN_BACK_SHARE = 1 / 2  # of the window, at most in one decongestion
LEAST_LOSS_SHARE = 1 / 8
LARGEST_LOSS_SHARE = 1 / 2
GREEDY_ROUNDS = 16  # rho: slow so long, there are greedy flows beside it
FORGETTING_ROUNDS = 50  # fast so many, there are none any more


class Yeah(BacklogWindow):
    """Two modes, and a count of what Reno would have."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._is_fast = True
        self._reno_packets = float(MINIMUM_WINDOW_PACKETS)
        self._slow_rounds = 0
        self._fast_rounds = 0

    def increase_packets(self, event: AckEvent) -> float:
        return max(1.0, INCREASE_PER_ACK * self.window_packets) if self._is_fast else 1.0

    def kept_share(self, event: LossEvent) -> float:
        window = self.window_packets
        taken = LARGEST_LOSS_SHARE
        if self._slow_rounds < GREEDY_ROUNDS:
            taken = max(LEAST_LOSS_SHARE, min((self._backlog.packets or 0.0) / window, LARGEST_LOSS_SHARE))
        self._fast_rounds = 0
        self._reno_packets = max(self._reno_packets / 2, MINIMUM_WINDOW_PACKETS)
        return 1 - taken

    def on_round(self, queued_packets: float) -> None:
        if self.phase is not Phase.AVOIDANCE:
            return
        is_long = queued_packets > QUEUE_PACKETS
        self._is_fast = not is_long and self._backlog.delay_share <= DELAY_SHARE
        if self._is_fast:
            self._slow_rounds = 0
            self._fast_rounds += 1
            if self._fast_rounds > FORGETTING_ROUNDS:
                self._fast_rounds = 0
                self._reno_packets = float(MINIMUM_WINDOW_PACKETS)
            return
        window = self.window_packets
        if is_long and window > self._reno_packets:
            smaller = max(window - min(queued_packets, GIVEN_BACK_SHARE * window), self._reno_packets)
            self._set_window(smaller * self.max_datagram_bytes)
            self._ssthresh_bytes = self._window_bytes  # or the window would be back in slow start
        is_first = self._reno_packets <= MINIMUM_WINDOW_PACKETS
        self._reno_packets = max(window / 2, MINIMUM_WINDOW_PACKETS) if is_first else self._reno_packets + 1
        self._slow_rounds += 1

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), "reno_packets": self._reno_packets}


SCHEME = Scheme(
    name="yeah",
    title="YeAH",
    control="sender",
    family="Loss-based",
    summary="Scalable while its queue is short, NewReno while it is long; gives back more than 80 queued packets.",
    source="Baiocchi, Castellani, Vacirca: YeAH-TCP, PFLDnet 2007",
    make_sender=Yeah,
)
