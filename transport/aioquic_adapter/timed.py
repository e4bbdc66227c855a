"""aioquic's asyncio protocol, whose timer is set apart from what is sent."""

from __future__ import annotations

from aioquic.asyncio.protocol import QuicConnectionProtocol


class TimedProtocol(QuicConnectionProtocol):
    """For those who know that nothing may leave."""

    def arm_timer(self) -> None:
        """Wake when the connection has something to do next; aioquic does so, too, as it transmits."""
        timer_at = self._quic.get_timer()
        if self._timer is not None and self._timer_at != timer_at:
            self._timer.cancel()
            self._timer = None
        if self._timer is None and timer_at is not None:
            self._timer = self._loop.call_at(timer_at, self._handle_timer)
        self._timer_at = timer_at

    def _handle_timer(self) -> None:
        """Called by asyncio, also once more where the connection was ended in the turn in which its timer was due."""
        if not self._closed.is_set():
            super()._handle_timer()
