"""Scalable TCP: a hundredth of a packet more for each ACK, an eighth of the window less after a loss.

Source: T. Kelly: Scalable TCP: Improving Performance in Highspeed Wide Area Networks, ACM CCR 33(2), 2003, section 3.
How long it takes to make up for a loss does not depend on the window: log(1/(1 - 1/8)) / log(1.01) = 13.4 round
trips. Windows of up to 16 packets are Reno's (section 3.2).

Deviations: what is QUIC's (`cc.sender.additive_increase`). Linux has Reno's increase up to 100 packets.
"""

from __future__ import annotations

from cc.core.base import AckEvent, LossEvent
from cc.core.scheme import Scheme
from cc.sender.additive_increase import AdditiveIncrease

INCREASE_PER_ACK = 0.01  # a
DECREASE = 0.125  # b
LEGACY_WINDOW_PACKETS = 16  # lwnd
LEGACY_DECREASE = 0.5


class Scalable(AdditiveIncrease):
    """Multiplicative both ways."""

    def increase_packets(self, event: AckEvent) -> float:
        return 1.0 if self.window_packets <= LEGACY_WINDOW_PACKETS else INCREASE_PER_ACK * self.window_packets

    def kept_share(self, event: LossEvent) -> float:
        return 1 - (LEGACY_DECREASE if self.window_packets <= LEGACY_WINDOW_PACKETS else DECREASE)


SCHEME = Scheme(
    name="scalable",
    title="Scalable",
    control="sender",
    family="Loss-based",
    summary="A hundredth of the window more each round trip, an eighth less after a loss; NewReno below 16 packets.",
    source="Kelly: Scalable TCP, ACM CCR 33(2), 2003",
    make_sender=Scalable,
)
