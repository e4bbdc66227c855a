"""TCP Veno: Reno that tells losses of a busy link from random ones by the backlog that Vegas counts.

Source: C. P. Fu, S. C. Liew: TCP Veno: TCP Enhancement for Transmission over Wireless Access Networks, IEEE JSAC
21(2), 2003, sections III.B to III.D: with fewer than 3 packets in the queue a loss is taken for a random one and
leaves 4/5 of the window; with more it leaves half, and the window grows in every second round trip only.

Deviations: the backlog is that of the round trip's smallest RTT (`cc.sender.backlog`); the paper takes each ACK's.
The base RTT is forgotten after a pause, as by Vegas. What is QUIC's: see `cc.sender.additive_increase`.
"""

from __future__ import annotations

from cc.core.base import AckEvent, LossEvent
from cc.core.scheme import Scheme
from cc.sender.backlog import BacklogWindow

BUSY_PACKETS = 3  # beta
BUSY_INCREASE_PACKETS = 0.5  # one packet in every second round trip
BUSY_SHARE = 0.5
RANDOM_LOSS_SHARE = 0.8


class Veno(BacklogWindow):
    """Reno with a guess at the cause of losses."""

    def increase_packets(self, event: AckEvent) -> float:
        return BUSY_INCREASE_PACKETS if self._is_busy else 1.0

    def kept_share(self, event: LossEvent) -> float:
        return BUSY_SHARE if self._is_busy else RANDOM_LOSS_SHARE

    @property
    def _is_busy(self) -> bool:
        """Unknown counts as busy: then it is Reno."""
        queued = self._backlog.packets
        return queued is None or queued >= BUSY_PACKETS


SCHEME = Scheme(
    name="veno",
    title="Veno",
    control="sender",
    family="Loss-based",
    summary="NewReno that keeps 4/5 of its window where a loss finds fewer than three packets in the queue.",
    source="Fu, Liew: TCP Veno, IEEE JSAC 21(2), 2003",
    make_sender=Veno,
)
