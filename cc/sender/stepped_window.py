"""A window that a policy sets every few milliseconds; CUBIC's (RFC 9438) while nobody decides.

Decisions lie on a grid as far as ACKs allow: the first ACK after each point asks, and one that is a whole interval late
begins the grid anew.

Safety that the papers of its schemes do not have:

- No action lifts the window above three times what the last round trip delivered (or the initial window), nor while the
  application leaves it unused (`delivered_ceiling.py`).
- Persistent congestion ends at two packets (RFC 9002 section 7.6.2). Other losses are the policy's business, unless
  CUBIC goes on below it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from cc.core.base import AckEvent, LossEvent
from cc.core.decision import DecisionRequest, Decisions, PolicySpace
from cc.core.interval import IntervalMeasurement
from cc.core.random_source import RandomSource
from cc.sender.cubic import Cubic
from cc.sender.delivered_ceiling import DeliveredCeiling
from cc.sender.path_rates import PathRates


class SteppedWindow(Cubic):
    """CUBIC, until a policy answers."""

    policy_space: ClassVar[PolicySpace]
    interval_s: ClassVar[float] = 0.010
    is_cubic_below: ClassVar[bool] = False
    """Whether CUBIC moves the window between decisions, too."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        self.decisions = Decisions(self.policy_space)
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._start_s: float | None = None
        self._decision_due_s = 0.0
        self._rates = PathRates()
        self._ceiling = DeliveredCeiling(self.max_datagram_bytes)

    # What a scheme supplies

    @abstractmethod
    def wanted_window_bytes(self, action: float) -> float:
        """What the action makes of the window."""

    @abstractmethod
    def features(self, event: AckEvent) -> tuple[float, ...]:
        """What the policy is shown when an interval ends."""

    def measured(self) -> IntervalMeasurement | None:
        """The interval that ended, for rewards that are made of it."""
        return None

    def on_new_window(self, before_bytes: float) -> None:
        """A decision has set the window: where CUBIC would go on from."""
        self._ssthresh_bytes = self._window_bytes
        self.forget_curve()

    # What the transport sees

    @property
    def request(self) -> DecisionRequest | None:
        """What waits for the policy."""
        return self.decisions.request

    def on_decision(self, sequence: int, action: float | None) -> None:
        """The action, below the ceiling."""
        accepted = self.decisions.accept(sequence, action)
        if accepted is None:
            return
        window_bytes = self._window_bytes
        wanted_bytes = self.wanted_window_bytes(accepted)
        self._set_window(self._ceiling.bounded(wanted_bytes, window_bytes=window_bytes))
        self.on_new_window(window_bytes)

    def on_ack(self, event: AckEvent) -> None:
        self.decisions.on_event(event.now_s)
        if self._start_s is None:
            self._start_s = event.acked[0].sent_time_s
        self._ceiling.on_ack(event)
        self._rates.on_ack(event)
        if self.is_cubic_below or self.decisions.uses_heuristic:
            super().on_ack(event)
        else:
            self._is_in_recovery = False
        if event.now_s >= self._decision_due_s and self._rates.delay_s is not None:
            next_due_s = self._decision_due_s + self.interval_s
            self._decision_due_s = next_due_s if next_due_s > event.now_s else event.now_s + self.interval_s
            self.decisions.end_interval(self.features(event), self.measured(), now_s=event.now_s)

    def on_loss(self, event: LossEvent) -> None:
        self.decisions.on_event(event.now_s)
        if self.is_cubic_below or self.decisions.uses_heuristic or event.is_persistent_congestion:
            super().on_loss(event)

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), **self.decisions.log_fields(), "delay_ewma_s": self._rates.delay_s}
