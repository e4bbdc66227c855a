"""Packets that leave beyond a window that has no room, so that what was lost is seen."""

from __future__ import annotations

from aioquic.quic.connection import QuicConnection

from cc.core.loss_detection import BLOCKED_PROBE_INTERVAL_S, blocked_probe_due_s
from transport.aioquic_adapter.recovery import SchemeRecovery


class WindowProbes:
    """Of one connection: one at a time, and only on a ping or an ACK of the peer, which can be reached then."""

    def __init__(self, quic: QuicConnection, recovery: SchemeRecovery) -> None:
        """Of a connection that has sent nothing yet."""
        self._quic = quic
        self._recovery = recovery
        self._next_s = 0.0

    def let_one_leave(self, *, now_s: float) -> bool:
        """Let one leave if probe timeouts have found nothing lately, or nothing could leave; not too often.

        After an outage the timer has backed off by many seconds (RFC 9002 section 6.2.1), and nothing else would leave
        before it. A receiver that never acknowledges must not draw more than this beyond its window.
        """
        if now_s < self._next_s or (self._recovery._pto_count == 0 and not self._is_blocked(now_s)):
            return False
        self._next_s = now_s + BLOCKED_PROBE_INTERVAL_S
        self._quic._probe_pending = True
        return True

    def on_ack(self, *, now_s: float) -> None:
        """Let one leave if the window has held everything back for long, and still does."""
        if self._is_blocked(now_s):
            self._quic._probe_pending = True

    def _is_blocked(self, now_s: float) -> bool:
        recovery = self._recovery
        if recovery.has_window_room:
            return False
        last_sent_s = recovery._time_of_last_sent_ack_eliciting_packet
        return now_s >= blocked_probe_due_s(last_sent_s=last_sent_s, rtt=recovery.rtt)
