"""What every receiver measures, whoever controls the window: queueing delay and bandwidth.

Both live in an epoch: a time in which the two clocks ran side by side, over one path. After a sleep, a freeze or a step
of a clock, and where the path is another or has become longer, a new one begins. It forgets what is relative to the
clocks and the path's delay, and keeps the bandwidth.
"""

from __future__ import annotations

from dataclasses import replace

from cc.core.receiver_base import ReceiverState, Stamp
from cc.receiver.bandwidth import Bandwidth
from cc.receiver.clock_watch import ClockWatch
from cc.receiver.longer_path import PathWatch
from cc.receiver.queueing_delay import QueueingDelay


class Measurement:
    """Feeds stamps, in order of sequence, to the two estimators."""

    def __init__(self) -> None:
        self.queueing_delay = QueueingDelay()
        self.bandwidth = Bandwidth()
        self._is_expecting_data = False
        self._waits_since_s: float | None = None
        """Since when data can have been here, as far as anybody asked; None where none is expected."""
        self._round_trip_s = 0.0
        self.is_held = False
        """Whether the receiver keeps the flow slower than the link."""
        self.epochs_begun = 0
        """How often the measurement began anew, by itself or because it was told to."""
        self._watch = ClockWatch()
        self._path = PathWatch()
        self.unqueued_bytes: float | None = None
        """Where the newest stamp revealed a longer path, what was in flight on it without a queue; else None."""
        self._min_rtt_s: float | None = None
        """The newest stamp's."""
        self._trusted_bytes_per_s: float | None = None
        """The bandwidth before the delays became suspicious; later ones are those of a window cut for nothing."""

    @property
    def is_suspicious(self) -> bool:
        """Whether the sender's round trips do not explain the delays of late: a queue so young, or a clock."""
        return self._watch.is_suspicious

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> bool:
        """Take one stamp; True if it began a new epoch: a clock cannot be believed, or the path is another."""
        self.unqueued_bytes = None
        begins_epoch = self._begins_epoch(stamp, received_time_s, late_s)
        self._round_trip_s = stamp.smoothed_rtt_s or 0.0
        self.bandwidth.on_stamp(
            stamp,
            received_time_s=received_time_s,
            queueing_delay_s=self.queueing_delay.filtered_s,
            is_held=self.is_held,
        )
        return begins_epoch

    def with_path(self, stamp: Stamp) -> Stamp:
        """The stamp with the shortest round trip of the path as it is now."""
        extra_s = self._path.extra_s
        if extra_s == 0 or stamp.min_rtt_s is None:
            return stamp
        return replace(stamp, min_rtt_s=stamp.min_rtt_s + extra_s)

    def expect_data(self, is_expecting: bool) -> None:
        """Whether requests are open."""
        self._is_expecting_data = is_expecting
        if not is_expecting:
            self._waits_since_s = None

    def start_epoch(self, *, now_s: float) -> None:
        """Forget what is relative to the clocks; the bandwidth stays known."""
        self.epochs_begun += 1
        self.queueing_delay = QueueingDelay(confirmed_time_s=now_s)
        self.bandwidth.start_epoch()
        self._watch.forget()
        self._path.forget_delays()

    def _begins_epoch(self, stamp: Stamp, received_time_s: float, late_s: float) -> bool:
        """Measure the delay; where it cannot be a queue's, measure it again in a new epoch."""
        is_another = self._is_of_another_path(stamp)
        if is_another:
            self._path.extra_s = 0.0
        is_new = self._watch.runs_back(stamp, received_time_s=received_time_s) or is_another
        if is_new:
            self.start_epoch(now_s=received_time_s)
        self._measure_delay(stamp, received_time_s, late_s)
        was_suspicious = self._watch.is_suspicious
        delay = self.queueing_delay
        on_path = self.with_path(stamp)  # what the path itself has become longer by explains no delay
        if self._watch.contradicts(on_path, received_time_s=received_time_s, raw_delay_s=delay.raw_s):
            self.bandwidth.bytes_per_s = self._trusted_bytes_per_s
        elif not self._watch.leaps(on_path, undercut_s=delay.undercut_s):
            if self._watch.is_suspicious and not was_suspicious:
                self._trusted_bytes_per_s = self.bandwidth.bytes_per_s
            self.unqueued_bytes = self._path.unqueued_bytes(
                stamp, received_time_s=received_time_s, raw_delay_s=delay.raw_s
            )
            if self.unqueued_bytes is None:
                return is_new
        self.start_epoch(now_s=received_time_s)
        self._measure_delay(stamp, received_time_s, late_s)
        return True

    def _is_of_another_path(self, stamp: Stamp) -> bool:
        """A path's shortest round trip never rises, and is not forgotten."""
        before_s, self._min_rtt_s = self._min_rtt_s, stamp.min_rtt_s
        return before_s is not None and (stamp.min_rtt_s is None or stamp.min_rtt_s > before_s)

    def _measure_delay(self, stamp: Stamp, received_time_s: float, late_s: float) -> None:
        self.queueing_delay.on_stamp(
            send_time_s=stamp.send_time_s, received_time_s=received_time_s, bytes_sent=stamp.bytes_sent, late_s=late_s
        )

    def bandwidth_bits_per_s(self, *, now_s: float) -> float | None:
        """The bottleneck's bandwidth at `now_s`; None until something was measured.

        A pause between requests is no silence of the link, nor is the round trip that a request takes.
        """
        if self._is_expecting_data and self._waits_since_s is None:
            self._waits_since_s = now_s + self._round_trip_s
        bytes_per_s = self.bandwidth.at(now_s=now_s, waits_since_s=self._waits_since_s)
        return None if bytes_per_s is None else 8 * bytes_per_s

    def state(
        self, *, now_s: float, window_bytes: int | None, k: float | None, target_delay_s: float | None
    ) -> ReceiverState:
        """The measurements at `now_s` beside what a scheme makes of them."""
        delivered = self.bandwidth.delivered_bytes_per_s
        return ReceiverState(
            raw_queueing_delay_s=self.queueing_delay.raw_s,
            queueing_delay_s=self.queueing_delay.filtered_s,
            bandwidth_bits_per_s=self.bandwidth_bits_per_s(now_s=now_s),
            delivered_bits_per_s=None if delivered is None else 8 * delivered,
            window_bytes=window_bytes,
            k=k,
            target_delay_s=target_delay_s,
        )
