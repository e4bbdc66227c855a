"""HighSpeed TCP (RFC 3649): the larger the window, the more it grows and the less it falls.

Up to 38 packets it is Reno. Above, increase and decrease are those that make the window 0.12 / p^0.835 where a share
p of packets is lost (section 5); at 83,000 packets a loss of 1e-7 leaves 0.9 of it.

Deviations:

- The formulas of section 5 are evaluated; the RFC suggests their table in appendix B, which Linux has.
- What is QUIC's: see `cc.sender.additive_increase`. Limited slow start (RFC 3742) is not part of it.
"""

from __future__ import annotations

import math

from cc.core.base import AckEvent, LossEvent
from cc.core.scheme import Scheme
from cc.sender.additive_increase import AdditiveIncrease

# section 5
LOW_WINDOW_PACKETS = 38
HIGH_WINDOW_PACKETS = 83_000
LOW_LOSS_RATIO = 1e-3
HIGH_LOSS_RATIO = 1e-7
LOW_DECREASE = 0.5
HIGH_DECREASE = 0.1


def decrease_at(window_packets: float) -> float:
    """b(w) of section 5: the share of the window that a loss takes."""
    share = _share_of_range(window_packets)
    return LOW_DECREASE + (HIGH_DECREASE - LOW_DECREASE) * share


def increase_at(window_packets: float) -> float:
    """a(w) of section 5, in packets each round trip."""
    if window_packets <= LOW_WINDOW_PACKETS:
        return 1.0
    decrease = decrease_at(window_packets)
    return window_packets**2 * loss_ratio_at(window_packets) * 2 * decrease / (2 - decrease)


def loss_ratio_at(window_packets: float) -> float:
    """p(w) of section 5: the loss under which the window is this, on average."""
    share = _share_of_range(window_packets)
    return math.exp(math.log(LOW_LOSS_RATIO) + share * math.log(HIGH_LOSS_RATIO / LOW_LOSS_RATIO))


def _share_of_range(window_packets: float) -> float:
    """How far from the low to the high window, by logarithms; 0 to 1."""
    share = math.log(window_packets / LOW_WINDOW_PACKETS) / math.log(HIGH_WINDOW_PACKETS / LOW_WINDOW_PACKETS)
    return max(0.0, min(share, 1.0))


class HighSpeed(AdditiveIncrease):
    """Numbers by the window."""

    def increase_packets(self, event: AckEvent) -> float:
        return increase_at(self.window_packets)

    def kept_share(self, event: LossEvent) -> float:
        return 1 - decrease_at(self.window_packets)


SCHEME = Scheme(
    name="highspeed",
    title="HighSpeed",
    control="sender",
    family="Loss-based",
    summary="NewReno that grows faster and falls less the larger its window is, above 38 packets.",
    source="RFC 3649",
    make_sender=HighSpeed,
)
