"""Google congestion control's rates: by delay, additive or multiplicative, and by loss.

Source: draft-ietf-rmcat-gcc-02, sections 5.5 and 6, with the parameters of section 5.6. Rates are bytes per second.

Deviations:

- Until the first over-use or much loss the estimate is all that the bound of 1.5 times the incoming rate allows. That
  stands for WebRTC's probes: at the draft's 8 % a second, a start from 2.7 to 24 Mbit/s takes 28 s.
- Meanwhile the estimate by loss follows it, as long as less than 2 % are lost: by 5 % a report it would hold the start
  back for seconds. WebRTC's does so too, for two seconds and without any loss
  (send_side_bandwidth_estimation.cc, `IsInStartPhase`).
- After a pause, until half a second of ACKs has come, the incoming rate is that since the first of them, from a tenth
  of a second on. Else bursts of less than half a second would never raise the estimate.
- That bound stops increases, but decreases nothing: a paused sender keeps its estimate.
- The variance of the rates at which it decreased is kept between 0.4 and 2.5 kbit/s times their average, as in WebRTC
  (link_capacity_estimator.cc); the draft does not say how it begins.
- While over-use lasts the rate is decreased once for each response time, not with every group of packets.
"""

from __future__ import annotations

import math
from collections import deque
from enum import Enum, auto

from cc.sender.gcc.delay import Usage

BETA = 0.85
INCREASE_PER_S = 1.08
INCOMING_WINDOW_S = 0.5  # T
INCOMING_LEAST_S = 0.1
INCOMING_BOUND = 1.5
FRAMES_PER_S = 30
FRAME_PACKET_BYTES = 1200
LEAST_INCREASE_BYTES_PER_S = 1000 / 8
CAPACITY_SMOOTHING = 0.95
CAPACITY_DEVIATIONS = 3.0
CAPACITY_VARIANCE_RANGE = (0.4, 2.5)  # of the average, in kbit/s
BYTES_PER_KILOBIT = 125.0
LOSS_LOW = 0.02
LOSS_HIGH = 0.10
LOSS_INCREASE = 1.05


class IncomingRate:
    """R_hat: what arrived within the last half second."""

    def __init__(self) -> None:
        self._arrived: deque[tuple[float, int]] = deque()
        self._since_s: float | None = None
        self._first_bytes = 0
        self._bytes = 0

    def add(self, size_bytes: int, now_s: float) -> None:
        """Book what was acknowledged."""
        if self._since_s is None:
            self._since_s = now_s
            self._first_bytes = size_bytes
        self._arrived.append((now_s, size_bytes))
        self._bytes += size_bytes
        while self._arrived[0][0] <= now_s - INCOMING_WINDOW_S:
            self._bytes -= self._arrived.popleft()[1]

    def bytes_per_s(self, now_s: float) -> float | None:
        """Since the first ACK, where that is less than half a second ago; None before a tenth has passed."""
        if self._since_s is None or now_s - self._since_s < INCOMING_LEAST_S:
            return None
        elapsed_s = now_s - self._since_s
        if elapsed_s < INCOMING_WINDOW_S:
            return (self._bytes - self._first_bytes) / elapsed_s
        return self._bytes / INCOMING_WINDOW_S


class LinkCapacity:
    """Average and deviation of the incoming rates at which it had to decrease."""

    def __init__(self) -> None:
        self.average: float | None = None
        """Bytes per second; None: not yet near convergence."""
        self._variance = CAPACITY_VARIANCE_RANGE[0]

    def on_decrease(self, incoming: float) -> None:
        """Book that over-use showed at this rate."""
        if self.average is None:
            self.average = incoming
            return
        weight = 1 - CAPACITY_SMOOTHING
        self.average += weight * (incoming - self.average)
        relative = (self.average - incoming) ** 2 / self.average / BYTES_PER_KILOBIT
        low, high = CAPACITY_VARIANCE_RANGE
        self._variance = min(max(CAPACITY_SMOOTHING * self._variance + weight * relative, low), high)

    def is_near(self, incoming: float) -> bool:
        """Within three deviations; a rate above them shows that the link has changed, and begins anew."""
        if self.average is None:
            return False
        spread = CAPACITY_DEVIATIONS * math.sqrt(self._variance * BYTES_PER_KILOBIT * self.average)
        if incoming > self.average + spread:
            self.average = None
            return False
        return incoming > self.average - spread


class RateState(Enum):
    """Section 5.5."""

    HOLD = auto()
    INCREASE = auto()
    DECREASE = auto()


_NEXT_STATE = {
    (RateState.HOLD, Usage.OVER_USE): RateState.DECREASE,
    (RateState.INCREASE, Usage.OVER_USE): RateState.DECREASE,
    (RateState.HOLD, Usage.NORMAL): RateState.INCREASE,
    (RateState.DECREASE, Usage.NORMAL): RateState.HOLD,
    (RateState.INCREASE, Usage.UNDER_USE): RateState.HOLD,
    (RateState.DECREASE, Usage.UNDER_USE): RateState.HOLD,
}
"""The table of section 5.5; what is not in it stays."""


class AimdRate:
    """A_hat: the estimate by delay."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        """Bytes per second."""
        self.state = RateState.INCREASE
        self.is_starting = True
        self._capacity = LinkCapacity()
        self._decreased_s: float | None = None

    def on_signal(self, usage: Usage, *, incoming: float | None, response_s: float, now_s: float) -> None:
        """The detector has spoken."""
        self.state = _NEXT_STATE.get((self.state, usage), self.state)
        if self.state is RateState.DECREASE and usage is Usage.OVER_USE:
            self._decrease(incoming, response_s, now_s)

    def increase(self, *, incoming: float | None, response_s: float, elapsed_s: float) -> None:
        """The time for an update has come."""
        if self.state is not RateState.INCREASE or incoming is None:
            return
        if self.is_starting:
            increased = INCOMING_BOUND * incoming
        elif self._capacity.is_near(incoming):
            increased = self.rate + additive_increase(self.rate, response_s=response_s, elapsed_s=elapsed_s)
        else:
            increased = self.rate * INCREASE_PER_S ** min(elapsed_s, 1.0)
        self.rate = max(self.rate, min(increased, INCOMING_BOUND * incoming))

    def _decrease(self, incoming: float | None, response_s: float, now_s: float) -> None:
        if self._decreased_s is not None and now_s - self._decreased_s < response_s:
            return
        self._decreased_s = now_s
        self.is_starting = False
        if incoming is not None:
            self._capacity.on_decrease(incoming)
        self.rate = min(self.rate, BETA * (self.rate if incoming is None else incoming))


def additive_increase(rate: float, *, response_s: float, elapsed_s: float) -> float:
    """At most half a packet for each response time, in bytes per second (section 5.5)."""
    frame_bytes = rate / FRAMES_PER_S
    packet_bytes = frame_bytes / math.ceil(frame_bytes / FRAME_PACKET_BYTES)
    return max(LEAST_INCREASE_BYTES_PER_S, 0.5 * min(elapsed_s / response_s, 1.0) * packet_bytes)


def loss_based_rate(rate: float, loss_ratio: float) -> float:
    """As_hat of section 6 after a report."""
    if loss_ratio > LOSS_HIGH:
        return rate * (1 - 0.5 * loss_ratio)
    return rate * LOSS_INCREASE if loss_ratio < LOSS_LOW else rate
