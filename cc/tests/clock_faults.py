"""What happens to the clocks of a sender and a receiver, put between a simulation and the receiver."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from cc.core.receiver_base import Feedback, Need, ReceiverScheme, ReceiverState, Stamp


@dataclass(frozen=True, slots=True)
class ClockFault:
    """What happens at a moment of the simulation."""

    at_s: float
    sender_step_s: float = 0.0
    receiver_step_s: float = 0.0
    sender_freeze_s: float = 0.0
    """The sender and its clock stand still; what it had sent goes on to arrive."""


class SteppedClocks:
    """Passes everything on as the faulty clocks would have it."""

    def __init__(self, receiver: ReceiverScheme, fault: ClockFault) -> None:
        self._receiver = receiver
        self._fault = fault
        self._frozen_s = 0.0

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        """Later by the freeze, and with the clocks' steps."""
        if stamp.send_time_s >= self._fault.at_s:
            self._frozen_s = self._fault.sender_freeze_s
            stamp = dataclasses.replace(stamp, send_time_s=stamp.send_time_s + self._fault.sender_step_s)
        self._receiver.on_stamp(stamp, received_time_s=self._receiver_time_s(received_time_s), late_s=late_s)

    def expect_data(self, is_expecting: bool) -> None:
        """Passed on."""
        self._receiver.expect_data(is_expecting)

    def on_need(self, need: Need, *, now_s: float) -> None:
        """Passed on."""
        self._receiver.on_need(need, now_s=self._receiver_time_s(now_s))

    def start_epoch(self, *, now_s: float) -> None:
        """Passed on."""
        self._receiver.start_epoch(now_s=self._receiver_time_s(now_s))

    def feedback(self, *, now_s: float) -> Feedback | None:
        """Passed on."""
        return self._receiver.feedback(now_s=self._receiver_time_s(now_s))

    def state(self, *, now_s: float) -> ReceiverState:
        """Passed on."""
        return self._receiver.state(now_s=self._receiver_time_s(now_s))

    def _receiver_time_s(self, now_s: float) -> float:
        step_s = self._fault.receiver_step_s if now_s >= self._fault.at_s else 0.0
        return now_s + step_s + self._frozen_s
