"""What all receivers that ask for a window have in common: the order of stamps, epochs, and feedback."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import replace

from cc.core.base import MINIMUM_WINDOW_PACKETS, Phase
from cc.core.receiver_base import Feedback, Need, ReceiverState, Stamp
from cc.core.wrapping_count import COUNT_MODULUS, is_later
from cc.receiver.measurement import Measurement
from cc.receiver.need import NeedWatch

GROWTH_BEYOND_SENDER = 2.0  # the request stays within twice the window in force: the guard would not grant more
GROWTH_RTT_S = 0.2


class WindowReceiver(ABC):
    """The receiver's half of a scheme; the sender's half is `cc.sender.receiver_driven`.

    A scheme moves `_window_packets` with each stamp and may set `_end_slow_start`.
    """

    def __init__(self, *, follows_need: bool = False) -> None:
        self._measurement = Measurement()
        self._need = NeedWatch() if follows_need else None
        self._window_packets: float | None = None
        self._end_slow_start = False
        self._last_stamp: Stamp | None = None
        self._reported_stamp_sequence: int | None = None
        self._feedback_count = 0

    # What a scheme supplies

    @abstractmethod
    def _begin_anew(self, stamp: Stamp, *, received_time_s: float) -> None:
        """The first stamp of all, of a sender's epoch or of the clocks': start from the window that it tells."""

    @abstractmethod
    def _move_window(self, stamp: Stamp, last: Stamp, *, received_time_s: float) -> None:
        """A stamp that goes on from `last`."""

    def _requested_window_packets(self, stamp: Stamp, window_packets: float, *, now_s: float) -> float:
        """What to ask for at `now_s`, where that is not the window itself."""
        return window_packets

    @property
    def k(self) -> float | None:
        """Its aggressiveness; None where it has no such thing."""
        return None

    @property
    def target_delay_s(self) -> float | None:
        """The queueing delay that the window aims at; None where it aims at none."""
        return None

    # What the transport and the page see

    @property
    def window_packets(self) -> float | None:
        """The window with its fractions; None before the first stamp."""
        return self._window_packets

    @property
    def epochs_begun(self) -> int:
        """How often the measurement began anew."""
        return self._measurement.epochs_begun

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        """Measure, then move the window; a stamp older than the newest seen is ignored."""
        last = self._last_stamp
        if last is not None and not is_later(stamp.sequence, last.sequence):
            return
        begins_epoch = self._measurement.on_stamp(stamp, received_time_s=received_time_s, late_s=late_s)
        self._last_stamp = stamp = self._measurement.with_path(stamp)
        if begins_epoch or last is None or self._window_packets is None or stamp.epoch != last.epoch:
            self._begin_anew(stamp, received_time_s=received_time_s)
        else:
            self._move_window(stamp, last, received_time_s=received_time_s)

    def expect_data(self, is_expecting: bool) -> None:
        """Whether requests are open."""
        self._measurement.expect_data(is_expecting)

    def on_need(self, need: Need, *, now_s: float) -> None:
        """Bounds the window from the next stamp on, where the scheme's parameters say so; else ignored."""
        if self._need is not None:
            self._need.tell(need, now_s=now_s)

    def start_epoch(self, *, now_s: float) -> None:
        """Forget what is relative to the clocks; the next stamp gives the window."""
        self._measurement.start_epoch(now_s=now_s)
        self._window_packets = None

    def feedback(self, *, now_s: float) -> Feedback | None:
        """The window to ask for; None before the first stamp and where no stamp came since the last feedback."""
        stamp = self._last_stamp
        if stamp is None or stamp.sequence == self._reported_stamp_sequence:
            return None
        self._reported_stamp_sequence = stamp.sequence
        bandwidth_bits_per_s = self._measurement.bandwidth_bits_per_s(now_s=now_s)
        feedback = Feedback(
            sequence=self._feedback_count,
            epoch=stamp.epoch,
            last_stamp_sequence=stamp.sequence,
            window_bytes=self._requested_window_bytes(stamp, now_s=now_s),
            end_slow_start=self._end_slow_start,
            bandwidth_bits_per_s=math.floor(bandwidth_bits_per_s or 0.0),
            queueing_delay_s=self._measurement.queueing_delay.filtered_s,
            k=self.k,
            target_delay_s=self.target_delay_s,
        )
        self._feedback_count = (self._feedback_count + 1) % COUNT_MODULUS
        return feedback

    def state(self, *, now_s: float) -> ReceiverState:
        """The measurements at `now_s`, the window asked for, and what the need makes of them."""
        stamp = self._last_stamp
        window_bytes = None if stamp is None else self._requested_window_bytes(stamp, now_s=now_s)
        state = self._measurement.state(
            now_s=now_s, window_bytes=window_bytes, k=self.k, target_delay_s=self.target_delay_s
        )
        if self._need is None:
            return state
        bound = self._need.bound_bytes_per_s(now_s=now_s)
        wanted_bits_per_s = None if bound is None else 8 * bound
        return replace(state, wanted_bits_per_s=wanted_bits_per_s, is_held=self._need.is_held(now_s=now_s))

    def _hold(self, need: NeedWatch, stamp: Stamp, *, most_queue_s: float, received_time_s: float) -> None:
        """Keep the window within what the player needs; a sender in slow start has to be told to end that."""
        window = self._window_packets
        bound = need.bound_packets(stamp, most_queue_s=most_queue_s, now_s=received_time_s)
        if window is not None and bound is not None:
            asked = self._requested_window_packets(stamp, window, now_s=received_time_s)
            if max(window, asked) >= bound:
                self._window_packets = min(window, bound)
                self._end_slow_start = stamp.phase is Phase.SLOW_START
                need.hold(stamp, now_s=received_time_s)
        self._measurement.is_held = need.is_held(now_s=received_time_s)

    def _requested_window_bytes(self, stamp: Stamp, *, now_s: float) -> int:
        if self._window_packets is None:
            return stamp.cwnd_bytes
        window = self._requested_window_packets(stamp, self._window_packets, now_s=now_s)
        return math.floor(max(float(MINIMUM_WINDOW_PACKETS), window) * stamp.max_datagram_bytes)


def within_reach_packets(window_packets: float, stamp: Stamp) -> float:
    """A window of at least two packets, and of at most `GROWTH_BEYOND_SENDER` times the one in force."""
    return max(float(MINIMUM_WINDOW_PACKETS), min(window_packets, _reach_packets(stamp)))


def clock_factor(stamp: Stamp) -> float:
    """What growth in a round trip is multiplied by: above `GROWTH_RTT_S` it goes by the clock."""
    return max(1.0, (stamp.smoothed_rtt_s or 0.0) / GROWTH_RTT_S)


def is_within_reach(window_packets: float, stamp: Stamp) -> bool:
    """Whether `within_reach_packets` would leave this window as it is, but for the two packets."""
    return window_packets <= _reach_packets(stamp)


def _reach_packets(stamp: Stamp) -> float:
    return GROWTH_BEYOND_SENDER * (stamp.cwnd_bytes / stamp.max_datagram_bytes)
