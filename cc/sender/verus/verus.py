"""Verus: learns which window makes which delay, and moves the delay it aims at every 5 ms.

Y. Zaki, T. Poetsch, J. Chen, L. Subramanian, C. Goerg: Adaptive Congestion Control for Unpredictable Cellular Networks,
SIGCOMM 2015, section 4, and the authors' yzaki/verus (commit 4b1bbf0), from which all constants are.

Deviations:

- There are no timers: epochs that have ended are made up for when an ACK arrives, each with its own sum.
- An ACK gives one delay, the RTT of its newest packet; the window it belongs to is what was in flight when that packet
  left, where the authors' packets carry the window wanted then.
- The profile's curve is a penalised least-squares curve with about the authors' resolution (`profile.py`), not
  ALGLIB's spline. Beyond the largest window it goes on with its last slope, at most to twice that window; there the
  window grows no faster than in slow start, and the delay aimed at waits. The authors start again when their spline
  never reaches that delay, which a queue that overflows below it makes it do for ever.
- Each loss makes the profile forget the window that was lost and those beyond; the authors do so once, when slow start
  ends. A full queue has one delay for all windows, so that its points say that more costs nothing: with them, and
  without the bound above, Verus lost 28 to 60 % of all packets in queues of 100 packets, and now 6 to 10 %.
- Starts with RFC 9002's initial window and never goes below its two packets; the authors start with one.
- Losses are the transport's; a packet is not given another 150 ms. In the loss phase the window grows by one packet in
  a round trip, and only that (section 4.4); the authors' code moves the delay at the same time. A timeout is noticed
  when the next ACK arrives; then a whole window may leave, whatever is in flight, as with the authors, who also begin a
  loss phase. Persistent congestion leaves one packet.
- While the application leaves the window unused, or nothing is in flight, the epochs stand still.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from cc.core.base import (
    MINIMUM_WINDOW_PACKETS,
    AckEvent,
    LossEvent,
    Phase,
    RttState,
    SenderScheme,
    SentPacket,
)
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.window import initial_window_bytes
from cc.sender.verus.profile import DelayProfile

EPOCH_S = 0.005
CURVE_INTERVAL_S = 1.0
DELTA_DECREASE_S = 0.001
DELTA_INCREASE_S = 0.002
DELAY_RATIO_MAX = 6.0  # VERUS_R: Dmax / Dmin
LOSS_FACTOR = 0.7
DELAY_OLD_SHARE = 0.2
SLOW_START_DELAY_S = 0.5
SLOW_START_WINDOW_PACKETS = 20  # a loss below it does not end slow start
CURVE_WINDOW_PACKETS = 100  # slow start's points below it are kept
DELAY_RESOLUTION_S = 1e-7
STALE_MINIMUM_STEP_S = 0.010
TIMEOUT_RTTS = 5
TIMEOUT_MIN_S = 0.150
TIMEOUT_MAX_S = 1.0


class Verus(SenderScheme):
    """Windows read off a delay profile."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._profile = DelayProfile()
        self._window_packets = initial_window_bytes(self.max_datagram_bytes) / self.max_datagram_bytes
        self._is_in_slow_start = True
        self._loss_s: float | None = None
        """When the present loss phase began; None outside one."""
        self._flight_bytes = 0
        self._budget_packets = 0.0
        """What the epochs allow to send besides what is in flight (tempS)."""
        self._estimate_s = 0.0
        """The delay aimed at, D_est."""
        self._is_waiting = False
        """Whether the window has to follow before it may rise."""
        self._minimum_s: float | None = None
        self._maximum_s: float | None = None
        """The largest delay of an epoch, smoothed."""
        self._epoch_delays_s: list[float] = []
        self._epoch_ends_s = 0.0
        self._last_ack_s = 0.0
        self._curve_due_s = 0.0
        self._smoothed_rtt_s = 0.0

    @property
    def cwnd_bytes(self) -> int:
        if self._is_in_slow_start:
            window_bytes = self._window_packets * self.max_datagram_bytes
        else:
            window_bytes = self._flight_bytes + self._budget_packets * self.max_datagram_bytes
        return int(max(window_bytes, MINIMUM_WINDOW_PACKETS * self.max_datagram_bytes))

    @property
    def phase(self) -> Phase:
        if self._is_in_slow_start:
            return Phase.SLOW_START
        return Phase.AVOIDANCE if self._loss_s is None else Phase.RECOVERY

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        self._flight_bytes = bytes_in_flight
        self._budget_packets = max(0.0, self._budget_packets - packet.size_bytes / self.max_datagram_bytes)
        if bytes_in_flight == packet.size_bytes:  # nothing was in flight
            self._rest(now_s)

    def on_ack(self, event: AckEvent) -> None:
        newest = event.acked[-1]
        if not self._is_in_slow_start and not event.is_app_limited:
            self._end_epochs(event.now_s)
        self._flight_bytes = event.bytes_in_flight
        self._last_ack_s = event.now_s
        if event.is_app_limited:
            self._rest(event.now_s)
        if self._loss_s is not None and newest.sent_time_s > self._loss_s:
            self._loss_s = None
            self._epoch_delays_s.clear()
        if event.rtt is not None and event.has_rtt_sample:
            self._sample(event.rtt, newest, now_s=event.now_s)
        if not event.is_app_limited:
            self._grow(event.acked_bytes / self.max_datagram_bytes)

    def on_loss(self, event: LossEvent) -> None:
        self._flight_bytes = event.bytes_in_flight
        if self._loss_s is None:
            self._decrease(event.lost[0].bytes_in_flight / self.max_datagram_bytes, now_s=event.now_s)
            if self._is_in_slow_start and self._window_packets > SLOW_START_WINDOW_PACKETS:
                self._end_slow_start(event.lost[0].bytes_in_flight / self.max_datagram_bytes, now_s=event.now_s)
        if event.is_persistent_congestion:
            self._window_packets = 1.0
            self._budget_packets = 0.0
            self._estimate_s = self._minimum_s or 0.0
            self._loss_s = event.now_s
            self.window_resets += 1

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            "window_packets": self._window_packets,
            "delay_estimate_s": self._estimate_s,
            "delay_minimum_s": self._minimum_s,
            "delay_maximum_s": self._maximum_s,
        }

    def _sample(self, rtt: RttState, newest: SentPacket, *, now_s: float) -> None:
        """Section 4.1: the delay belongs to the window that the packet left with."""
        self._smoothed_rtt_s = rtt.smoothed_s
        self._epoch_delays_s.append(rtt.latest_s)
        self._minimum_s = rtt.latest_s if self._minimum_s is None else min(self._minimum_s, rtt.latest_s)
        flight_packets = newest.bytes_in_flight / self.max_datagram_bytes
        if self._loss_s is None:
            self._profile.learn(max(1, round(flight_packets)), rtt.latest_s)
        if self._is_in_slow_start and rtt.latest_s > SLOW_START_DELAY_S:
            self._decrease(flight_packets, now_s=now_s)
            self._end_slow_start(flight_packets, now_s=now_s)

    def _grow(self, acked_packets: float) -> None:
        if self._is_in_slow_start:
            self._window_packets += acked_packets
        elif self._loss_s is not None:
            self._window_packets += acked_packets / self._window_packets
            self._estimate_s = min(self._estimate_s, self._profile.delay_s(self._window_packets))

    def _decrease(self, flight_packets: float, *, now_s: float) -> None:
        """Section 4.4: multiplicative decrease of the window that was too large."""
        self._window_packets = max(1.0, min(self._window_packets, LOSS_FACTOR * flight_packets))
        self._budget_packets = 0.0
        self._loss_s = now_s
        self.window_resets += 1
        if not self._is_in_slow_start:
            self._forget_from(max(SLOW_START_WINDOW_PACKETS, round(flight_packets)), now_s=now_s)
            self._estimate_s = self._profile.delay_s(self._window_packets)

    def _end_slow_start(self, flight_packets: float, *, now_s: float) -> None:
        """Read the window off the curve from now on; what lies beyond the window that was too large is no guide."""
        self._forget_from(max(CURVE_WINDOW_PACKETS, round(flight_packets)), now_s=now_s)
        if not self._profile.has_curve:
            return
        self._is_in_slow_start = False
        self._estimate_s = self._profile.delay_s(self._window_packets)
        self._epoch_ends_s = now_s + EPOCH_S

    def _forget_from(self, window_packets: int, *, now_s: float) -> None:
        self._profile.forget_from(window_packets)
        self._profile.draw_curve()
        self._curve_due_s = now_s + CURVE_INTERVAL_S

    def _rest(self, now_s: float) -> None:
        """The sender is not the limit: epochs stand still, and the whole window may be used."""
        self._epoch_ends_s = now_s + EPOCH_S
        self._last_ack_s = now_s
        self._budget_packets = max(self._budget_packets, self._window_packets - self._flight_packets())

    def _end_epochs(self, now_s: float) -> None:
        """Make up for the epochs that have ended; the delays of late count in the first of them."""
        silence_s = min(TIMEOUT_MAX_S, max(TIMEOUT_RTTS * self._smoothed_rtt_s, TIMEOUT_MIN_S))
        is_timeout = now_s - self._last_ack_s > silence_s
        if is_timeout:
            self._estimate_s = self._minimum_s or 0.0
            self._epoch_ends_s = now_s
        if now_s >= self._curve_due_s:
            self._profile.draw_curve()
            self._curve_due_s = now_s + CURVE_INTERVAL_S
        while self._epoch_ends_s <= now_s:
            if self._loss_s is not None or self._move_estimate(self._epoch_ends_s):
                self._budget_packets += self._packets_to_send()
            self._epoch_ends_s += EPOCH_S
        if is_timeout:  # what is in flight is given up (TimeoutHandler): else nothing would leave before the next probe
            self._budget_packets = max(self._budget_packets, self._window_packets, MINIMUM_WINDOW_PACKETS)

    def _move_estimate(self, now_s: float) -> bool:
        """Section 4.2, equation 4, and the window for the new delay; whether the next epoch may send."""
        minimum_s = self._minimum_s
        if minimum_s is None:
            return True
        if self._epoch_delays_s:
            largest_s = max(self._epoch_delays_s)
            self._epoch_delays_s.clear()
        else:
            largest_s = max(self._maximum_s or minimum_s, now_s - self._last_ack_s)
        previous_s = largest_s if self._maximum_s is None else self._maximum_s
        is_sending = True
        if previous_s > DELAY_RATIO_MAX * minimum_s:
            self._estimate_s = max(minimum_s, self._estimate_s - DELTA_INCREASE_S)
            if self._estimate_s == minimum_s:
                if self._flight_packets() < MINIMUM_WINDOW_PACKETS:  # the path is longer than it was
                    self._minimum_s = minimum_s + STALE_MINIMUM_STEP_S
                else:
                    is_sending = False
        elif largest_s - previous_s > DELAY_RESOLUTION_S:
            self._estimate_s = max(minimum_s, self._estimate_s - DELTA_DECREASE_S)
        elif not self._is_waiting:
            self._estimate_s += DELTA_INCREASE_S
        self._read_window()
        self._maximum_s = DELAY_OLD_SHARE * previous_s + (1 - DELAY_OLD_SHARE) * largest_s
        return is_sending

    def _read_window(self) -> None:
        wanted = self._profile.window_packets(self._estimate_s)
        doubling = 2 ** (EPOCH_S / max(self._smoothed_rtt_s, EPOCH_S))
        bound = max(self._profile.last_packets, self._window_packets * doubling)
        self._is_waiting = wanted > bound or wanted >= self._profile.largest_packets
        self._window_packets = min(wanted, bound)

    def _packets_to_send(self) -> float:
        """Section 4.3, equation 5: S = W_(i+1) + (2 - n)/(n - 1) W_i in each of the n epochs of a round trip."""
        epochs = math.ceil(self._smoothed_rtt_s / EPOCH_S)
        flight = self._flight_packets()
        if epochs > 1:
            return max(0.0, self._window_packets + flight * (2 - epochs) / (epochs - 1))
        return max(0.0, self._window_packets - flight)

    def _flight_packets(self) -> float:
        return self._flight_bytes / self.max_datagram_bytes + self._budget_packets


SCHEME = Scheme(
    name="verus",
    title="Verus",
    control="sender",
    family="Delay-based",
    summary="Learns which window makes which delay; moves the delay it aims at every 5 ms, up to six RTTs.",
    source="Zaki et al., Verus, SIGCOMM 2015",
    make_sender=Verus,
)
