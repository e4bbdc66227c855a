"""The way back from a window that a player's need held to the one that the link had.

While a need holds the window, the link's is kept as it was. Once the need lets more, the window doubles in a round
trip, as in slow start, up to the smaller of that window and what the estimated bandwidth fills with a queue at the
target. The link may have become slower meanwhile: a queue that stands ends it, as it ends slow start, and one at the
target says that the link's window is the present one.
"""

from __future__ import annotations

from cc.core.receiver_base import Stamp
from cc.receiver.measurement import Measurement
from cc.receiver.slow_start_exit import SlowStartExit
from cc.receiver.window_receiver import within_reach_packets

RESERVE_SHARE = 0.5  # of the target: the queue that the window makes where a queue ends the way back


class HeldWindow:
    """Keeps the link's window, and goes back to it."""

    def __init__(self, measurement: Measurement) -> None:
        self._measurement = measurement
        self._link_packets: float | None = None
        """None where there is nothing to go back to."""
        self._exit = SlowStartExit(measurement.bandwidth)

    def forget(self) -> None:
        """The link's window is the present one."""
        self._link_packets = None

    def keep(self, link_packets: float) -> None:
        """The need holds the window below this one."""
        self._link_packets = max(link_packets, self._link_packets or 0.0)
        self._exit.begin_anew()

    def grown_packets(
        self,
        stamp: Stamp,
        window_packets: float,
        *,
        new_packets: int,
        received_time_s: float,
        target_s: float,
    ) -> float:
        """The window a stamp later, on its way back."""
        delay = self._measurement.queueing_delay
        link_packets, rate = self._link_packets, self._measurement.bandwidth.bytes_per_s
        if link_packets is None or rate is None or stamp.min_rtt_s is None or stamp.is_app_limited:
            return window_packets
        filled_packets = rate * (stamp.min_rtt_s + target_s) / stamp.max_datagram_bytes
        most_packets = min(link_packets, filled_packets)
        if delay.filtered_s >= target_s or window_packets >= most_packets:
            self.forget()
            return window_packets
        fitting_packets = self._exit.window_packets(
            stamp,
            received_time_s=received_time_s,
            delay_s=delay.raw_s,
            reserve_s=RESERVE_SHARE * target_s,
        )
        if fitting_packets is not None:
            self.forget()
            return min(window_packets, fitting_packets)
        return within_reach_packets(min(window_packets + new_packets, most_packets), stamp)
