"""What real senders and receivers do that textbook ones do not, as options of a simulation."""

from __future__ import annotations

from dataclasses import dataclass

from cc.core.ack_policy import CHROMIUM, AckRule
from cc.simulation.recovery import QuicRecovery, Recovery

SIMULATED_TIMER_S = 0.001  # event loops round their timers up to a millisecond


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """The defaults are those of our server and a page in Chromium."""

    ack: AckRule = CHROMIUM
    recovery: type[Recovery] = QuicRecovery
    """What senders do about packets that they hear nothing of (`cc.simulation.recovery`)."""
    timer_quantum_s: float = SIMULATED_TIMER_S
    """The sender's pacing timer goes off in whole steps of this after it was set; 0 is an ideal timer."""
    feedback_interval_s: float | None = None
    """How often a receiver-driven scheme's receiver is asked for feedback; None as often as ours are
    (`cc.receiver.feedback_interval`)."""

    def __post_init__(self) -> None:
        """Raises ValueError for times that make no sense."""
        if not 0 <= self.timer_quantum_s < float("inf"):
            raise ValueError(f"timer quantum of {self.timer_quantum_s} s must be a positive time or 0")
        if self.feedback_interval_s is not None and not 0 < self.feedback_interval_s < float("inf"):
            raise ValueError(f"feedback interval of {self.feedback_interval_s} s must be a positive time")
