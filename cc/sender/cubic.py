"""CUBIC (RFC 9438) with HyStart++ (RFC 9406).

The window is a cubic function of the time since the last cut, whose plateau is the window at that cut.
Windows are in bytes here and in segments in the RFC.

Deviations and choices:

- The decrease starts from the window, not from the bytes in flight. Section 4.6 allows it where, as here
  (`cc.core.window`), the window does not grow while the application leaves it unused.
- The Reno-friendly window never lowers the window; section 4.3 says "SHOULD be set to W_est".
- Spurious losses are not undone (section 4.9): no event tells of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.window import WindowScheme
from cc.sender.hystart import HyStart

C = 0.4  # segments per second cubed (section 5)
BETA = 0.7  # section 4.6
ALPHA = 3 * (1 - BETA) / (1 + BETA)  # section 4.3: as fast as Reno on average, with this beta
TARGET_FACTOR_MAX = 1.5  # section 4.2


class Cubic(WindowScheme):
    """The usual loss-based controller, for comparison."""

    may_change_on_send = False

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng, slow_start=HyStart())
        self._w_max_bytes: float | None = None
        self._cwnd_prior_bytes = 0.0
        self._w_est_bytes = 0.0
        self._k_s = 0.0
        self._t_epoch_s: float | None = None
        """When the present stage of congestion avoidance began, moved on by the time that must not count."""
        self._last_ack_s: float | None = None

    def w_cubic_bytes(self, t_s: float) -> float:
        """Equation 1 of section 4.2; `t_s` counts from the start of the stage of congestion avoidance."""
        plateau_bytes = self._window_bytes if self._w_max_bytes is None else self._w_max_bytes
        return C * (t_s - self._k_s) ** 3 * self.max_datagram_bytes + plateau_bytes

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        window = self._window_bytes
        t_epoch_s = self._begin_stage(event.now_s) if self._t_epoch_s is None else self._t_epoch_s
        self._last_ack_s = event.now_s
        t_s = event.now_s - t_epoch_s

        # Section 4.3, equation 4; once back at the window before the cut, as fast as Reno.
        alpha = ALPHA if self._w_est_bytes < self._cwnd_prior_bytes else 1.0
        self._w_est_bytes += alpha * self.max_datagram_bytes * acked_bytes / window
        if self.w_cubic_bytes(t_s) < self._w_est_bytes:
            return max(window, self._w_est_bytes)

        # Sections 4.4 and 4.5: aim at where the curve will be in one RTT.
        rtt_s = 0.0 if event.rtt is None else event.rtt.smoothed_s
        target = min(max(self.w_cubic_bytes(t_s + rtt_s), window), TARGET_FACTOR_MAX * window)
        return window + (target - window) * acked_bytes / window

    def reduced_window_bytes(self, event: LossEvent) -> float:
        window = self._window_bytes
        # Section 4.7: a plateau below the last one means a new flow wants room; leave it some.
        is_below_plateau = self._w_max_bytes is not None and window < self._w_max_bytes
        self._w_max_bytes = window * (1 + BETA) / 2 if is_below_plateau else window
        self._cwnd_prior_bytes = window
        self._t_epoch_s = None
        return window * BETA

    def on_window_collapse(self) -> None:
        """Section 4.8."""
        self.forget_curve()

    def forget_curve(self) -> None:
        """The next stage starts from the window that there is then, with K = 0."""
        self._w_max_bytes = None
        self._t_epoch_s = None

    def scale_curve(self, factor: float) -> None:
        """The plateau and the estimate of Reno times this; for who multiplies the window, and lets the curve go on."""
        if self._w_max_bytes is not None:
            self._w_max_bytes *= factor
        self._w_est_bytes *= factor
        self._cwnd_prior_bytes *= factor

    def on_app_limited_ack(self, event: AckEvent) -> None:
        self._stop_clock_until(event.now_s)

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if bytes_in_flight == packet.size_bytes:  # nothing was in flight: the sender was idle
            self._stop_clock_until(now_s)

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            **super().log_fields(),
            "w_max_bytes": self._w_max_bytes,
            "w_est_bytes": self._w_est_bytes,
        }

    def _begin_stage(self, now_s: float) -> float:
        window = self._window_bytes
        segment = self.max_datagram_bytes
        if self._w_max_bytes is None or self._w_max_bytes < window:
            # Slow start ended without a loss, or after a collapse (sections 4.8 and 4.10).
            self._w_max_bytes = self._cwnd_prior_bytes = window
        self._k_s = ((self._w_max_bytes - window) / segment / C) ** (1 / 3)  # section 4.2, equation 2
        self._w_est_bytes = window
        self._t_epoch_s = now_s
        return now_s

    def _stop_clock_until(self, now_s: float) -> None:
        """Section 5.8: the curve must not run on while the application leaves the window unused."""
        if self._t_epoch_s is not None and self._last_ack_s is not None:
            self._t_epoch_s += now_s - self._last_ack_s
            self._last_ack_s = now_s


SCHEME = Scheme(
    name="cubic",
    title="CUBIC",
    control="sender",
    family="Loss-based",
    summary="Window follows a cubic curve around the size at the last loss; leaves slow start when delay rises.",
    source="RFC 9438, RFC 9406",
    make_sender=Cubic,
)
