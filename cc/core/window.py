"""The mechanics of a congestion window, written once (RFC 9002 section 7 and appendix B).

Slow start, recovery periods, ssthresh, application-limited periods, persistent congestion and the minimum window
live here. A scheme that derives from `WindowScheme` supplies its increase in congestion
avoidance and its decrease on loss, and nothing else.

Deviations from RFC 9002:

- After persistent congestion the RFC forgets the recovery period (appendix B.8), so that packets sent before
  and declared lost later would cut ssthresh again. Here what was sent before has no effect, as after any cut.
- Slow start stops at ssthresh exactly; the RFC may overshoot it by one ACK.
- Probing with one packet in spite of the window (section 7.3.2) is the transport's.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping

from cc.core.base import (
    INITIAL_WINDOW_PACKETS,
    MINIMUM_WINDOW_PACKETS,
    AckEvent,
    LossEvent,
    Phase,
    SenderScheme,
)
from cc.core.random_source import RandomSource
from cc.core.slow_start import SlowStart, StandardSlowStart

INITIAL_WINDOW_BYTES_MIN = 14720  # RFC 9002 section 7.2: of ten packets, no more than max(14720, two packets)


def initial_window_bytes(max_datagram_bytes: int) -> int:
    """RFC 9002 section 7.2."""
    return min(
        INITIAL_WINDOW_PACKETS * max_datagram_bytes,
        max(INITIAL_WINDOW_BYTES_MIN, MINIMUM_WINDOW_PACKETS * max_datagram_bytes),
    )


class WindowScheme(SenderScheme):
    """A scheme that grows and shrinks a window.

    `_window_bytes` keeps fractions, so that small increases add up; subclasses set it by `_set_window`.
    """

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource, slow_start: SlowStart | None = None) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._slow_start = StandardSlowStart() if slow_start is None else slow_start
        self._minimum_window_bytes = MINIMUM_WINDOW_PACKETS * max_datagram_bytes
        self._window_bytes = float(initial_window_bytes(max_datagram_bytes))
        self._ssthresh_bytes: float | None = None
        self._is_in_recovery = False
        self._reduced_s: float | None = None

    # What a scheme supplies

    @abstractmethod
    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        """The window after an ACK in congestion avoidance; it may be lower than before, and ssthresh goes with it.

        `acked_bytes` leaves out packets that the present window does not answer for.
        """

    @abstractmethod
    def reduced_window_bytes(self, event: LossEvent) -> float:
        """The window, and ssthresh, after a loss; asked once for each recovery period."""

    @property
    def room_bytes(self) -> int:
        """What may be in flight besides the window, since it waits at the receiver for its ACK; never after a loss.

        It is no part of the window: neither growth nor decrease is reckoned from it.
        """
        return 0

    def on_window_collapse(self) -> None:
        """Persistent congestion: forget what was learned of the path."""

    def on_app_limited_ack(self, event: AckEvent) -> None:
        """An ACK that must not let the window grow."""

    # What the transport sees

    @property
    def cwnd_bytes(self) -> int:
        return int(self._window_bytes) + self.room_bytes

    @property
    def ssthresh_bytes(self) -> int | None:
        """Slow-start threshold; None while nothing is known of the path."""
        return None if self._ssthresh_bytes is None else int(self._ssthresh_bytes)

    @property
    def phase(self) -> Phase:
        if self._is_in_recovery:
            return Phase.RECOVERY
        if self._ssthresh_bytes is None or self._window_bytes < self._ssthresh_bytes:
            return Phase.SLOW_START
        return Phase.AVOIDANCE

    def on_ack(self, event: AckEvent) -> None:
        acked_bytes = self._answered_bytes(event)
        if acked_bytes == 0:
            return
        self._is_in_recovery = False  # a packet sent after the cut arrived (RFC 9002 section 7.3.2)
        if event.is_app_limited:  # section 7.8
            self.on_app_limited_ack(event)
        elif self.phase is Phase.SLOW_START:
            self._grow_in_slow_start(event, acked_bytes)
        else:
            self._set_window(self.increased_window_bytes(event, acked_bytes))
            if self._ssthresh_bytes is not None and self._window_bytes < self._ssthresh_bytes:
                self._ssthresh_bytes = self._window_bytes  # or a window that was lowered would be back in slow start

    def on_loss(self, event: LossEvent) -> None:
        newest_sent_s = event.lost[-1].sent_time_s
        if self._reduced_s is None or newest_sent_s > self._reduced_s:
            self._set_window(self.reduced_window_bytes(event))
            self._ssthresh_bytes = self._window_bytes
            self._is_in_recovery = True
            self._reduced_s = event.now_s
            self.window_resets += 1
        if event.is_persistent_congestion:
            self._set_window(self._minimum_window_bytes)
            self._is_in_recovery = False
            self._reduced_s = event.now_s
            self.window_resets += 1
            self.on_window_collapse()

    def end_slow_start(self) -> None:
        """Leave slow start with the window as it is; the receiver may have seen the queue first."""
        if self.phase is Phase.SLOW_START:
            self._ssthresh_bytes = self._window_bytes

    def log_fields(self) -> Mapping[str, float | None]:
        return {"ssthresh_bytes": self._ssthresh_bytes, **self._slow_start.log_fields()}

    def _set_window(self, window_bytes: float) -> None:
        try:
            is_finite = window_bytes < math.inf  # NaN is not, either
        except TypeError:
            raise TypeError(
                f"{type(self).__name__} asks for a window of {window_bytes!r}, which is no number:"
                " return bytes from increased_window_bytes and reduced_window_bytes"
            ) from None
        if not is_finite:
            raise ValueError(f"{type(self).__name__} asks for a window of {window_bytes} bytes")
        self._window_bytes = max(window_bytes, self._minimum_window_bytes)

    def _answered_bytes(self, event: AckEvent) -> int:
        """Bytes of the ACK's packets that were sent under the present window (RFC 9002 section 7.3.2)."""
        reduced_s = self._reduced_s
        if reduced_s is None or event.acked[0].sent_time_s > reduced_s:
            return event.acked_bytes
        return sum(packet.size_bytes for packet in event.acked if packet.sent_time_s > reduced_s)

    def _grow_in_slow_start(self, event: AckEvent, acked_bytes: int) -> None:
        ssthresh = self._ssthresh_bytes
        growth = self._slow_start.growth_bytes(event, acked_bytes=acked_bytes, is_initial=ssthresh is None)
        window = self._window_bytes + growth
        self._set_window(window if ssthresh is None else min(window, ssthresh))
        if ssthresh is None and self._slow_start.is_over:
            self.end_slow_start()
