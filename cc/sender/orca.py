"""Orca: CUBIC below, and every 20 ms a policy that multiplies its window by something from a quarter to four.

Source: Abbasloo, Yen, Chao: Classic Meets Modern, A Pragmatic Learning-Based Congestion Control for the Internet,
SIGCOMM 2020, and the authors' code (Soheil-ab/Orca, commit 77bedfb): rl-module/envwrapper.py has the state, its
params.json ten states as history and a margin of 1.25 for delays.

Choices and deviations:

- CUBIC is the project's own, between decisions and after losses as without a policy. A decision scales its curve, its
  threshold and its window alike, so that the curve does not pull the window back; 4^0 leaves CUBIC what it is.
- The policy is asked once the first slow start was left, as in src/orca-server-mahimahi.cc. Until then CUBIC is alone;
  theirs adds a tenth to the window every 20 ms.
- Rates are over an interval, and over the largest yet, slow start included. Loss is the rate of loss, weighed by 5
  as in the reward.
- The time since the last state is in seconds; the authors' normaliser is off in their params.json.
- Some actions are bounded (`decided_window.py`).
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.base import AckEvent
from cc.core.decision import Amount, Feature, PolicySpace
from cc.core.interval import IntervalMeasurement
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.metered_window import MeteredWindow

INTERVAL_S = 0.020
HISTORY = 10  # rec_dim
BASE = 4.0
DELAY_MARGIN = 1.25  # delay_margin_coef
LOSS_WEIGHT = 5.0
MOST_PACING = 10.0

FEATURES = (
    Feature("throughput", "ratio", 0.0, 1.0, "rate of delivery over the largest yet"),
    Feature("pacing", "ratio", 0.0, MOST_PACING, "window over smoothed RTT, over the largest rate of delivery yet"),
    Feature("loss", "ratio", 0.0, 5.0, "five times the rate of loss over the largest rate of delivery yet"),
    Feature("acked", "ratio", 0.0, 2.0, "packets acknowledged over the window"),
    Feature("interval", "s", 0.0, 0.2, "time since the last state"),
    Feature("delay", "ratio", 0.0, 1.0, "smallest RTT over the smoothed one"),
    Feature("delay_metric", "ratio", 0.0, 1.0, "the same with a margin of 1.25, no more than 1"),
)


class Orca(MeteredWindow):
    """CUBIC whose window a policy multiplies."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=HISTORY,
        actions=Amount(-1.0, 1.0, "4 to its power multiplies CUBIC's window"),
        interval="20 ms, or longer where no ACK comes",
    )
    interval_s: ClassVar[float] = INTERVAL_S
    is_cubic_below: ClassVar[bool] = True

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._best_bytes_per_s = 0.0

    @property
    def may_ask(self) -> bool:
        """Once slow start was left."""
        return self._ssthresh_bytes is not None

    def wanted_window_bytes(self, action: float) -> float:
        return self._window_bytes * float(BASE**action)

    def on_new_window(self, before_bytes: float) -> None:
        """CUBIC's plateau, its estimate of Reno and its threshold move with the window."""
        factor = self._window_bytes / before_bytes
        self.scale_curve(factor)
        if self._ssthresh_bytes is not None:
            self._ssthresh_bytes *= factor

    def features_of(self, measured: IntervalMeasurement, event: AckEvent) -> tuple[float, ...]:
        self._best_bytes_per_s = max(self._best_bytes_per_s, measured.acked_bytes_per_s)
        best = self._best_bytes_per_s
        rtt = event.rtt
        if best <= 0 or rtt is None or rtt.smoothed_s <= 0 or measured.duration_s <= 0:
            return (0.0,) * len(FEATURES)
        return (
            measured.acked_bytes_per_s / best,
            min(self._window_bytes / rtt.smoothed_s / best, MOST_PACING),
            LOSS_WEIGHT * measured.lost_bytes / measured.duration_s / best,
            measured.acked_bytes / self._window_bytes,
            measured.duration_s,
            rtt.min_s / rtt.smoothed_s,
            delay_metric(rtt.min_s, rtt.smoothed_s),
        )


def delay_metric(least_s: float, delay_s: float) -> float:
    """1 up to the margin, and less the longer the delay is."""
    return min(1.0, DELAY_MARGIN * least_s / delay_s)


SCHEME = Scheme(
    name="orca",
    title="Orca",
    control="sender",
    family="Learned",
    summary="CUBIC whose window a learned policy multiplies every 20 ms, by up to four and down to a quarter.",
    source="Abbasloo, Yen, Chao: Orca, SIGCOMM 2020",
    make_sender=Orca,
    policy="orca",
)
