"""What every receiver measures, whoever controls the window: queueing delay and bandwidth."""

from __future__ import annotations

from cc.receiver.bandwidth import Bandwidth
from cc.receiver.queueing_delay import QueueingDelay
from cc.receiver_base import ReceiverState, Stamp


class Measurement:
    """Feeds stamps, in order of sequence, to the two estimators."""

    def __init__(self) -> None:
        self.queueing_delay = QueueingDelay()
        self.bandwidth = Bandwidth()
        self.is_expecting_data = False

    def on_stamp(self, stamp: Stamp, *, received_time_s: float) -> None:
        """Take one stamp."""
        self.queueing_delay.on_stamp(
            send_time_s=stamp.send_time_s, received_time_s=received_time_s, bytes_sent=stamp.bytes_sent
        )
        self.bandwidth.on_stamp(
            send_time_s=stamp.send_time_s,
            received_time_s=received_time_s,
            bytes_sent=stamp.bytes_sent,
            queueing_delay_s=self.queueing_delay.filtered_s,
            round_trip_s=stamp.min_rtt_s or 0.0,
        )

    def bandwidth_bits_per_s(self, *, now_s: float) -> float | None:
        """The bottleneck's bandwidth at `now_s`; None until something was measured."""
        bytes_per_s = self.bandwidth.at(now_s=now_s, is_expecting_data=self.is_expecting_data)
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
