"""A window that a policy sets every few milliseconds.

Decisions lie on a grid as far as ACKs allow: the first ACK after each point asks, and one that is a whole interval late
begins the grid anew.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from cc.core.base import AckEvent
from cc.core.interval import IntervalMeasurement
from cc.core.random_source import RandomSource
from cc.sender.decided_window import DecidedWindow
from cc.sender.path_rates import PathRates


class SteppedWindow(DecidedWindow):
    """CUBIC, until a policy answers."""

    interval_s: ClassVar[float] = 0.010

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._start_s: float | None = None
        self._decision_due_s = 0.0
        self._rates = PathRates()

    # What a scheme supplies

    @abstractmethod
    def features(self, event: AckEvent) -> tuple[float, ...]:
        """What the policy is shown when an interval ends."""

    def measured(self) -> IntervalMeasurement | None:
        """The interval that ended, for rewards that are made of it."""
        return None

    @property
    def may_ask(self) -> bool:
        """Whether the policy is asked at the end of an interval, which is measured in any case."""
        return True

    # What the transport sees

    def on_ack(self, event: AckEvent) -> None:
        if self._start_s is None:
            self._start_s = event.acked[0].sent_time_s
        self._rates.on_ack(event)
        super().on_ack(event)

    def ask(self, event: AckEvent) -> None:
        """Ask on the grid."""
        if event.now_s >= self._decision_due_s and self._rates.delay_s is not None:
            next_due_s = self._decision_due_s + self.interval_s
            self._decision_due_s = next_due_s if next_due_s > event.now_s else event.now_s + self.interval_s
            features = self.features(event)
            if self.may_ask:
                self.decisions.end_interval(features, self.measured(), now_s=event.now_s)

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), "delay_ewma_s": self._rates.delay_s}
