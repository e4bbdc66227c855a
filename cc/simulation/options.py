"""What real senders and receivers do that textbook ones do not, as options of a simulation."""

from __future__ import annotations

from dataclasses import dataclass

from cc.core.ack_policy import CHROMIUM, AckRule
from cc.simulation.recovery import QuicRecovery, Recovery

SIMULATED_TIMER_S = 0.001  # event loops round their timers up to a millisecond
SHORTEST_S = 1e-6  # a shorter interval is lost in the rounding of later times, and time stands still


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
        if self.timer_quantum_s != 0 and not SHORTEST_S <= self.timer_quantum_s < float("inf"):
            raise ValueError(f"timer quantum of {self.timer_quantum_s} s must be 0, or a time from {SHORTEST_S:g} s on")
        if self.feedback_interval_s is not None and not SHORTEST_S <= self.feedback_interval_s < float("inf"):
            raise ValueError(
                f"feedback interval of {self.feedback_interval_s} s must be a time from {SHORTEST_S:g} s on"
            )
