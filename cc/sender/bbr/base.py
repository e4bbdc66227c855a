"""What all versions of BBR have in common: a pacing rate, a window that follows a target, recovery.

Source: draft-cardwell-iccrg-bbr-congestion-control-00 section 4.2 (cited as v1), and draft-ietf-ccwg-bbr-06 section 5.6
(cited as v3).
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, Phase, SenderScheme
from cc.core.random_source import RandomSource
from cc.core.window import initial_window_bytes
from cc.sender.bbr.recovery import LossRecovery

MIN_PIPE_PACKETS = 4  # BBRMinPipeCwnd, v1 4.2.3.3
NOMINAL_RTT_S = 0.001  # before the first sample, v1 4.2.1, v3 5.6.2
RTT_MIN_S = 1e-6  # nothing is paced by less


class BbrSender(SenderScheme):
    """A sender that paces at a gain times the bandwidth of its model."""

    startup_gain: ClassVar[float]
    """Startup's pacing gain."""
    pacing_margin: ClassVar[float] = 0.01  # below the bandwidth; v3 5.6.2, in v1 Linux's bbr_pacing_margin_percent

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._initial_window_bytes = initial_window_bytes(max_datagram_bytes)
        self._minimum_window_bytes = MINIMUM_WINDOW_PACKETS * max_datagram_bytes
        self._min_pipe_bytes = MIN_PIPE_PACKETS * max_datagram_bytes
        self.recovery = LossRecovery()
        self._window_bytes = float(self._initial_window_bytes)
        self._pacing_rate = self.startup_gain * self._initial_window_bytes / NOMINAL_RTT_S
        self._has_rtt = False

    # What a version supplies

    @property
    @abstractmethod
    def bandwidth_bytes_per_s(self) -> float:
        """What it paces by; 0 before the first sample."""

    @property
    @abstractmethod
    def pacing_gain(self) -> float:
        """Pacing gain of the present state."""

    @property
    @abstractmethod
    def is_pipe_full(self) -> bool:
        """Whether Startup has found the bandwidth."""

    @property
    @abstractmethod
    def is_in_startup(self) -> bool:
        """Whether it is looking for the bandwidth for the first time."""

    @property
    @abstractmethod
    def is_probing_rtt(self) -> bool:
        """Whether ProbeRTT has cut the window."""

    @abstractmethod
    def target_window_bytes(self) -> float:
        """The window that a gain, the model and aggregated ACKs ask for."""

    # What the transport sees

    @property
    def cwnd_bytes(self) -> int:
        return int(self._window_bytes)

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        return self._pacing_rate

    @property
    def phase(self) -> Phase:
        if self.recovery.is_active:
            return Phase.RECOVERY
        return Phase.SLOW_START if self.is_in_startup else Phase.AVOIDANCE

    # Rate, v1 4.2.1, v3 5.6.2

    def _update_pacing_rate(self, event: AckEvent) -> None:
        if event.rtt is not None and not self._has_rtt:
            self._has_rtt = True
            rtt_s = max(event.rtt.smoothed_s, RTT_MIN_S)
            self._pacing_rate = self.startup_gain * self._initial_window_bytes / rtt_s
        self._pace_with(self.pacing_gain)

    def _pace_with(self, gain: float) -> None:
        """BBRSetPacingRateWithGain: until the pipe is full, only upwards."""
        rate = gain * self.bandwidth_bytes_per_s * (1 - self.pacing_margin)
        if rate > 0 and (self.is_pipe_full or rate > self._pacing_rate):
            self._pacing_rate = rate

    # Window, v1 4.2.3, v3 5.6.4

    def _grown_window_bytes(self, event: AckEvent) -> float:
        """BBRSetCwnd without the bounds of states: by what was acknowledged, to the target."""
        window, target = self._window_bytes, self.target_window_bytes()
        if self.is_pipe_full:
            window = min(window + event.acked_bytes, target)
        elif window < target or event.delivered_bytes < self._initial_window_bytes:
            window += event.acked_bytes
        return max(window, self._min_pipe_bytes)

    def _set_window(self, window_bytes: float) -> None:
        self._window_bytes = max(window_bytes, self._minimum_window_bytes)

    def _collapse_window(self) -> None:
        """Upon RTO, v1 4.2.3.4, v3 5.6.4.4."""
        self._set_window(self._minimum_window_bytes)
        self.window_resets += 1

    def _save_window(self) -> None:
        self.recovery.save_window(self._window_bytes, is_probing_rtt=self.is_probing_rtt)

    def _restore_window(self) -> None:
        self._set_window(max(self._window_bytes, self.recovery.saved_window_bytes))
