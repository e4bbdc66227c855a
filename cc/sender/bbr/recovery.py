"""When BBR is in loss recovery, and the window that it goes back to afterwards.

Source: draft-cardwell-iccrg-bbr-congestion-control-00 section 4.2.3.4 (BBRSaveCwnd, BBRRestoreCwnd), the same in
draft-ietf-ccwg-bbr-06 section 5.6.4.4. TCP's recovery ends when all losses are repaired. In QUIC no packet is sent a
second time; there it ends, as in google/quiche's BbrSender, when a packet arrives that left after the latest loss.
"""

from __future__ import annotations

from cc.core.base import AckEvent


class LossRecovery:
    """Keeps "the last known good window" through losses and ProbeRTT."""

    __slots__ = ("_last_loss_s", "is_active", "saved_window_bytes")

    def __init__(self) -> None:
        self._last_loss_s = 0.0
        self.is_active = False
        self.saved_window_bytes = 0.0

    def save_window(self, window_bytes: float, *, is_probing_rtt: bool) -> None:
        """Remember the window before it is cut, or the largest since the first cut."""
        if self.is_active or is_probing_rtt:
            window_bytes = max(window_bytes, self.saved_window_bytes)
        self.saved_window_bytes = window_bytes

    def on_loss(self, now_s: float) -> None:
        """Recovery begins, or lasts longer."""
        self.is_active = True
        self._last_loss_s = now_s

    def on_ack(self, event: AckEvent) -> bool:
        """Whether this ACK ends recovery."""
        if not self.is_active or event.acked[-1].sent_time_s <= self._last_loss_s:
            return False
        self.is_active = False
        return True
