"""aioquic's asyncio protocol, whose timer is set apart from what is sent."""

from __future__ import annotations

from aioquic.asyncio.protocol import QuicConnectionProtocol

KEPT_S = 0.05
"""A timer that goes off so late, and still too early, is left as it is: most wait for an ACK that does not come, and
are put off with each that does."""


class TimedProtocol(QuicConnectionProtocol):
    """For those who know that nothing may leave."""

    def arm_timer(self) -> None:
        """Wake when the connection has something to do next; aioquic does so, too, as it transmits."""
        timer, timer_at = self._timer, self._quic.get_timer()
        self._timer_at = timer_at
        if timer is not None:
            set_s = timer.when()
            if timer_at is not None and (set_s == timer_at or self._loop.time() + KEPT_S < set_s < timer_at):
                return
            timer.cancel()
        self._timer = None if timer_at is None else self._loop.call_at(timer_at, self._handle_timer)

    def _handle_timer(self) -> None:
        """Called by asyncio, also once more where the connection was ended in the turn in which its timer was due."""
        if self._closed.is_set():
            return
        timer, timer_at = self._timer, self._timer_at
        if timer is not None and timer_at is not None and timer.when() < timer_at:  # it was kept
            self._timer = self._loop.call_at(timer_at, self._handle_timer)
            return
        super()._handle_timer()
