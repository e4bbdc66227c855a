"""The receiver's half of a sender-side scheme: it measures the same things and asks for nothing."""

from __future__ import annotations

from cc.core.receiver_base import Feedback, Need, ReceiverState, Stamp
from cc.core.wrapping_count import is_later
from cc.receiver.measurement import Measurement


class Observer:
    """Gives the page and the records the same measurements under every scheme."""

    def __init__(self) -> None:
        self._measurement = Measurement()
        self._last_sequence: int | None = None

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        """Measure; a stamp older than the newest seen is ignored."""
        if self._last_sequence is not None and not is_later(stamp.sequence, self._last_sequence):
            return
        self._last_sequence = stamp.sequence
        self._measurement.on_stamp(stamp, received_time_s=received_time_s, late_s=late_s)

    def expect_data(self, is_expecting: bool) -> None:
        """Whether requests are open."""
        self._measurement.expect_data(is_expecting)

    def on_need(self, need: Need, *, now_s: float) -> None:
        """Makes no difference: the window is the sender's."""

    def start_epoch(self, *, now_s: float) -> None:
        """Forget what is relative to the clocks."""
        self._measurement.start_epoch(now_s=now_s)

    @property
    def epochs_begun(self) -> int:
        """How often the measurement began anew."""
        return self._measurement.epochs_begun

    def feedback(self, *, now_s: float) -> Feedback | None:
        """Never anything."""
        return None

    def state(self, *, now_s: float) -> ReceiverState:
        """The measurements at `now_s`."""
        return self._measurement.state(now_s=now_s, window_bytes=None, k=None, target_delay_s=None)
