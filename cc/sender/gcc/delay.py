"""Google congestion control's eye for delay: whether the path is over-used, under-used or neither.

Source: draft-ietf-rmcat-gcc-02, sections 5.1 to 5.4, with the parameters of section 5.6; in milliseconds, as there.

Deviations:

- The estimate that is compared with the threshold is m(i) times the number of groups, at most 60, as in WebRTC
  (overuse_detector.cc). The draft leaves that out, and 12.5 ms from one group to the next is never reached.
- The threshold is moved by at most 100 ms at once, as in WebRTC: after a pause it would leap.
- While the signal is not normal the filter learns nothing of the noise, and on its way back it follows ten times the
  noise of state, as in WebRTC (overuse_estimator.cc). Without these an outage of seconds leaves over-use for minutes.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from enum import Enum, auto

BURST_TIME_MS = 5.0
STATE_NOISE = 1e-3  # q
RETURNING_NOISE = 10 * STATE_NOISE  # added
INITIAL_ERROR = 0.1  # e(0)
CHI = 0.01  # between 0.001 and 0.1
INITIAL_NOISE_MS2 = 50.0  # var_v_hat(0): the draft has none; WebRTC's (overuse_estimator.cc)
MIN_NOISE_MS2 = 1.0
GROUPS_FOR_F_MAX = 60  # K: the draft has none; WebRTC's
OUTLIER_DEVIATIONS = 3.0
ESTIMATE_GAIN_MAX = 60  # WebRTC, kMinNumDeltas
INITIAL_THRESHOLD_MS = 12.5  # del_var_th(0)
OVERUSE_TIME_MS = 10.0  # overuse_time_th
K_U = 0.01
K_D = 0.00018
THRESHOLD_MIN_MS = 6.0
THRESHOLD_MAX_MS = 600.0
THRESHOLD_OUTLIER_MS = 15.0
THRESHOLD_STEP_MAX_MS = 100.0


class Usage(Enum):
    """The detector's signal."""

    NORMAL = auto()
    OVER_USE = auto()
    UNDER_USE = auto()


@dataclass(frozen=True, slots=True)
class GroupDelta:
    """Change from one group of packets to the next."""

    departure_ms: float
    arrival_ms: float

    @property
    def delay_variation_ms(self) -> float:
        """d(i) of section 5.1."""
        return self.arrival_ms - self.departure_ms


@dataclass(slots=True)
class _Group:
    first_sent_ms: float
    last_sent_ms: float
    arrived_ms: float


class PacketGroups:
    """Sections 5.1 and 5.2: packets sent or arrived within 5 ms are one."""

    def __init__(self) -> None:
        self._previous: _Group | None = None
        self._current: _Group | None = None

    def on_arrival(self, *, sent_ms: float, arrived_ms: float) -> GroupDelta | None:
        """A packet arrived, on the receiver's clock; the delta between the last two groups if this begins another."""
        current = self._current
        if current is None:
            self._current = _Group(sent_ms, sent_ms, arrived_ms)
            return None
        if sent_ms < current.last_sent_ms:  # out of order
            return None
        if self._belongs(current, sent_ms, arrived_ms):
            current.last_sent_ms = sent_ms
            current.arrived_ms = max(current.arrived_ms, arrived_ms)
            return None
        previous, self._previous = self._previous, current
        self._current = _Group(sent_ms, sent_ms, arrived_ms)
        if previous is None:
            return None
        return GroupDelta(current.last_sent_ms - previous.last_sent_ms, current.arrived_ms - previous.arrived_ms)

    @staticmethod
    def _belongs(group: _Group, sent_ms: float, arrived_ms: float) -> bool:
        if sent_ms - group.first_sent_ms <= BURST_TIME_MS:
            return True
        arrival_ms = arrived_ms - group.arrived_ms
        return arrival_ms < BURST_TIME_MS and arrival_ms - (sent_ms - group.last_sent_ms) < 0


class ArrivalFilter:
    """The Kalman filter of section 5.3."""

    def __init__(self) -> None:
        self.m_hat_ms = 0.0
        self.groups = 0
        self.noise_ms2 = INITIAL_NOISE_MS2
        self._previous_ms = 0.0
        self._error = INITIAL_ERROR
        self._departures_ms: deque[float] = deque(maxlen=GROUPS_FOR_F_MAX)

    def update(self, delta: GroupDelta, usage: Usage = Usage.NORMAL) -> float:
        """m(i), in ms, after another group; `usage` is the signal after the one before."""
        self.groups += 1
        z = delta.delay_variation_ms - self.m_hat_ms
        if usage is Usage.NORMAL:
            self._update_noise(z, delta.departure_ms)
        predicted = self._error + STATE_NOISE
        if self._is_returning(usage):
            predicted += RETURNING_NOISE
        gain = predicted / (self.noise_ms2 + predicted)
        self._previous_ms = self.m_hat_ms
        self.m_hat_ms += z * gain
        self._error = (1 - gain) * predicted
        return self.m_hat_ms

    def _is_returning(self, usage: Usage) -> bool:
        if usage is Usage.OVER_USE:
            return self.m_hat_ms < self._previous_ms
        return usage is Usage.UNDER_USE and self.m_hat_ms > self._previous_ms

    def _update_noise(self, z: float, departure_ms: float) -> None:
        self._departures_ms.append(departure_ms)
        # With f_max in 1/ms, 30 / (1000 f_max) is the shortest interval between groups, in units of 1/30 s.
        alpha = (1 - CHI) ** (30 / 1000 * max(0.0, min(self._departures_ms)))
        limit = OUTLIER_DEVIATIONS * math.sqrt(self.noise_ms2)
        z = max(-limit, min(z, limit))
        self.noise_ms2 = max(alpha * self.noise_ms2 + (1 - alpha) * z**2, MIN_NOISE_MS2)


class OveruseDetector:
    """Section 5.4, with a threshold that adapts."""

    def __init__(self) -> None:
        self.threshold_ms = INITIAL_THRESHOLD_MS
        self._over_ms = 0.0
        self._estimate_ms = 0.0
        self.usage = Usage.NORMAL

    def update(self, estimate_ms: float, delta: GroupDelta) -> Usage:
        """The signal after another group."""
        previous_ms, self._estimate_ms = self._estimate_ms, estimate_ms
        if estimate_ms > self.threshold_ms:
            self._over_ms += delta.departure_ms
            if self._over_ms >= OVERUSE_TIME_MS and estimate_ms >= previous_ms:
                self.usage = Usage.OVER_USE
        else:
            self._over_ms = 0.0
            self.usage = Usage.UNDER_USE if estimate_ms < -self.threshold_ms else Usage.NORMAL
        self._adapt(abs(estimate_ms), delta.arrival_ms)
        return self.usage

    def _adapt(self, size_ms: float, elapsed_ms: float) -> None:
        if size_ms - self.threshold_ms > THRESHOLD_OUTLIER_MS:
            return
        k = K_D if size_ms < self.threshold_ms else K_U
        elapsed_ms = max(0.0, min(elapsed_ms, THRESHOLD_STEP_MAX_MS))
        moved_ms = self.threshold_ms + elapsed_ms * k * (size_ms - self.threshold_ms)
        self.threshold_ms = max(THRESHOLD_MIN_MS, min(moved_ms, THRESHOLD_MAX_MS))


class DelayObserver:
    """Filter and detector behind one another."""

    def __init__(self) -> None:
        self.detector = OveruseDetector()
        self._groups = PacketGroups()
        self._filter = ArrivalFilter()
        self.estimate_ms = 0.0

    def on_arrival(self, *, sent_ms: float, arrived_ms: float) -> Usage | None:
        """The signal, if the packet completed a group."""
        delta = self._groups.on_arrival(sent_ms=sent_ms, arrived_ms=arrived_ms)
        if delta is None:
            return None
        m_ms = self._filter.update(delta, self.detector.usage)
        self.estimate_ms = min(self._filter.groups, ESTIMATE_GAIN_MAX) * m_ms
        return self.detector.update(self.estimate_ms, delta)
