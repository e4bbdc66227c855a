"""Packets that leave beyond a window that has no room, so that what was lost is seen."""

from __future__ import annotations

from aioquic.quic.connection import QuicConnection

from cc.core.blocked_probe import INTERVAL_S, BlockedProbe
from transport.aioquic_adapter.recovery import SchemeRecovery


class WindowProbes:
    """Of one connection: one at a time, and only on a ping or an ACK of the peer, which can be reached then."""

    def __init__(self, quic: QuicConnection, recovery: SchemeRecovery) -> None:
        """Of a connection that has sent nothing yet."""
        self._quic = quic
        self._recovery = recovery
        self._blocked_probe = BlockedProbe()
        self._next_s = 0.0

    def let_one_leave(self, *, now_s: float) -> bool:
        """Let one leave if probe timeouts have found nothing lately, or nothing could leave; not too often.

        After an outage the timer has backed off by many seconds (RFC 9002 section 6.2.1), and nothing else would leave
        before it. A receiver that never acknowledges must not draw more than this beyond its window.
        """
        is_due = self._is_blocked(now_s)
        return (is_due or self._recovery._pto_count > 0) and self._let_leave(now_s)

    def on_ack(self, *, now_s: float) -> None:
        """Let one leave if the window has held everything back for long, and still does."""
        if self._is_blocked(now_s):
            self._let_leave(now_s)

    def _is_blocked(self, now_s: float) -> bool:
        recovery = self._recovery
        return self._blocked_probe.is_due(
            has_room=recovery.has_window_room,
            last_sent_s=recovery._time_of_last_sent_ack_eliciting_packet,
            rtt=recovery.rtt,
            now_s=now_s,
        )

    def _let_leave(self, now_s: float) -> bool:
        if now_s < self._next_s:
            return False
        self._next_s = now_s + INTERVAL_S
        self._quic._probe_pending = True
        return True
