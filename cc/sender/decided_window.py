"""A window that a policy sets; CUBIC's (RFC 9438) while nobody decides.

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
from cc.core.random_source import RandomSource
from cc.sender.cubic import Cubic
from cc.sender.delivered_ceiling import DeliveredCeiling


class DecidedWindow(Cubic):
    """CUBIC, until a policy answers."""

    policy_space: ClassVar[PolicySpace]
    is_cubic_below: ClassVar[bool] = False
    """Whether CUBIC moves the window between decisions, too."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        self.decisions = Decisions(self.policy_space)
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._ceiling = DeliveredCeiling(self.max_datagram_bytes)

    # What a scheme supplies

    @abstractmethod
    def wanted_window_bytes(self, action: float) -> float:
        """What the action makes of the window."""

    @abstractmethod
    def ask(self, event: AckEvent) -> None:
        """The ACK has been heard: end the interval, if it is over."""

    def on_new_window(self, before_bytes: float) -> None:
        """A decision has set the window: where CUBIC would go on from."""
        self._ssthresh_bytes = self._window_bytes
        self._is_in_recovery = False
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
        self._ceiling.on_ack(event)
        if self.is_cubic_below or self.decisions.uses_heuristic:
            super().on_ack(event)
        self.ask(event)

    def on_loss(self, event: LossEvent) -> None:
        self.decisions.on_event(event.now_s)
        if self.is_cubic_below or self.decisions.uses_heuristic or event.is_persistent_congestion:
            super().on_loss(event)

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), **self.decisions.log_fields()}
