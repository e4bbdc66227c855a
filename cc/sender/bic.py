"""BIC: after a loss a binary search for the window that was lost, then a probe beyond it that doubles each round trip.

Source: L. Xu, K. Harfoush, I. Rhee: Binary Increase Congestion Control for Fast Long-Distance Networks, INFOCOM 2004,
section III and its pseudocode, with the paper's numbers.

Deviations:

- The paper aims at the middle between the largest and the smallest window, where the smallest is the window itself as
  soon as it is reached. So is it here: a round trip takes half of what is missing, no more than Smax and no less than
  Smin.
- Linux keeps 0.8 of the window (the paper 0.875), adds 16 packets at most (the paper 32), and takes a quarter of what
  is missing instead of half.
- What is QUIC's: see `cc.sender.additive_increase`.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import AckEvent, LossEvent
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.additive_increase import AdditiveIncrease

# section IV: the paper's own settings
LOW_WINDOW_PACKETS = 14
LARGEST_INCREASE_PACKETS = 32.0  # Smax
SMALLEST_INCREASE_PACKETS = 0.01  # Smin
DECREASE = 0.125  # beta
LOW_DECREASE = 0.5


class Bic(AdditiveIncrease):
    """Binary search, and slow start beyond the window that it knows."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._largest_packets: float | None = None
        """The window to look for; None while nothing is known of it."""
        self._probing_from_packets: float | None = None
        """Window at which the probe beyond it began; None while it searches."""

    def increase_packets(self, event: AckEvent) -> float:
        window = self.window_packets
        if window < LOW_WINDOW_PACKETS:
            return 1.0
        if self._largest_packets is not None and window < self._largest_packets:
            self._probing_from_packets = None
            missing = (self._largest_packets - window) / 2
            return max(SMALLEST_INCREASE_PACKETS, min(missing, LARGEST_INCREASE_PACKETS))
        if self._probing_from_packets is None:
            self._probing_from_packets = window
        # ss_cwnd of the pseudocode is 1, 2, 4, ... and moves on when as much has been added: 1 + what was added
        return min(1.0 + window - self._probing_from_packets, LARGEST_INCREASE_PACKETS)

    def kept_share(self, event: LossEvent) -> float:
        window = self.window_packets
        self._probing_from_packets = None
        if window < LOW_WINDOW_PACKETS:
            self._largest_packets = window
            return 1 - LOW_DECREASE
        kept = 1 - DECREASE
        is_below_last = self._largest_packets is not None and window < self._largest_packets
        # fast convergence: a window below the last one means that another flow wants room
        self._largest_packets = window * (1 + kept) / 2 if is_below_last else window
        return kept

    def on_window_collapse(self) -> None:
        self._largest_packets = self._probing_from_packets = None

    def log_fields(self) -> Mapping[str, float | None]:
        largest = self._largest_packets
        return {
            **super().log_fields(),
            "w_max_bytes": None if largest is None else largest * self.max_datagram_bytes,
        }


SCHEME = Scheme(
    name="bic",
    title="BIC",
    control="sender",
    family="Loss-based",
    summary="Binary search for the window at the last loss, then ever faster beyond it; what CUBIC came from.",
    source="Xu, Harfoush, Rhee: BIC, INFOCOM 2004",
    make_sender=Bic,
)
