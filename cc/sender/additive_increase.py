"""What loss-based windows have in common: so many packets more in a round trip, such a share kept after a loss.

Reno adds 1 packet and keeps 1/2; its successors have other numbers there. Their papers count windows in packets, and
write for each ACK: cwnd <- cwnd + a / cwnd. Here windows are bytes, and a packet is a full one: an ACK for n bytes
adds a full packet times a n / cwnd, so that receivers which acknowledge every tenth packet let it grow as fast.

No window doubles in less than a round trip, however much a scheme would add to a small one: what is added is no more
than what was acknowledged.

All else is QUIC's (`cc.core.window`): one cut for each flight with a loss (RFC 9002 section 7.3.2) instead of fast
recovery and SACK, two packets after persistent congestion instead of one after a timeout, slow start without a first
ssthresh, and no growth while the application is the limit.
"""

from __future__ import annotations

from abc import abstractmethod

from cc.core.base import AckEvent, LossEvent
from cc.core.window import WindowScheme


class AdditiveIncrease(WindowScheme):
    """A scheme that says what it adds in a round trip, and what it keeps."""

    may_change_on_send = False

    @abstractmethod
    def increase_packets(self, event: AckEvent) -> float:
        """Packets to add in a round trip of ACKs such as this one; asked in congestion avoidance."""

    @abstractmethod
    def kept_share(self, event: LossEvent) -> float:
        """Share of the window to keep after a loss; asked once for each recovery period."""

    @property
    def window_packets(self) -> float:
        """The window, in full packets."""
        return self._window_bytes / self.max_datagram_bytes

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        increase_bytes = self.increase_packets(event) * self.max_datagram_bytes
        return self._window_bytes + min(increase_bytes, self._window_bytes) * acked_bytes / self._window_bytes

    def reduced_window_bytes(self, event: LossEvent) -> float:
        return self._window_bytes * self.kept_share(event)
