"""NewReno (RFC 9002 section 7 and appendix B): one packet more per round trip, half the window on loss."""

from __future__ import annotations

from cc.core.base import AckEvent, LossEvent
from cc.core.scheme import Scheme
from cc.core.window import WindowScheme

LOSS_REDUCTION_FACTOR = 0.5  # RFC 9002 section 7.3.2


class NewReno(WindowScheme):
    """The loss-based controller that RFC 9002 describes; the yardstick for the others."""

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        """Section 7.3.3: at most one packet for each window acknowledged."""
        return self._window_bytes + self.max_datagram_bytes * acked_bytes / self._window_bytes

    def reduced_window_bytes(self, event: LossEvent) -> float:
        return self._window_bytes * LOSS_REDUCTION_FACTOR


SCHEME = Scheme(
    name="newreno",
    title="NewReno",
    control="sender",
    family="Loss-based",
    summary="One packet more each round trip, half the window after a loss.",
    source="RFC 9002 section 7",
    make_sender=NewReno,
)
