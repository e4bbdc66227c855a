"""The receiver's half of a flow's scheme: stamps reach it with their packets, and its feedback goes the way back."""

from __future__ import annotations

from collections import deque

from cc.core.receiver_base import Feedback, Need, ReceiverScheme, ReceiverState, Stamp
from cc.receiver.feedback_interval import feedback_interval_s
from cc.simulation.checked_scheme import CheckedReceiver
from cc.simulation.flow_log import FlowLog
from cc.simulation.way_back import WayBack


class FlowReceiver:
    """Asks for a window as often as receivers do."""

    def __init__(
        self, scheme: ReceiverScheme, *, name: str, start_s: float, way_back: WayBack, interval_s: float | None
    ) -> None:
        """`interval_s`: between feedbacks; None leaves it to the stamps. Raises SchemeError, as all else does."""
        self.feedback: deque[tuple[float, Feedback]] = deque()
        """Under way, each with the time at which it arrives at the sender."""
        self._scheme = scheme
        self._checked = CheckedReceiver(scheme, name=name)
        self._way_back = way_back
        self._interval_s = interval_s
        self._stamps: deque[tuple[float, Stamp]] = deque()
        self._stamps_sent: dict[int, Stamp] = {}
        self._last_stamp: Stamp | None = None
        """The newest that the receiver has seen."""
        self._checked.expect_data(True)
        self.due_s = start_s + self._next_s()
        """When it asks next."""

    def expect_data(self, is_expecting: bool) -> None:
        """Whether it has requests open."""
        self._checked.expect_data(is_expecting)

    def on_need(self, need: Need, *, now_s: float) -> None:
        """What its player needs."""
        self._checked.on_need(need, now_s=now_s)

    def state(self, *, now_s: float) -> ReceiverState:
        """What it knows."""
        return self._checked.state(now_s=now_s)

    def on_stamps_sent(self, stamps: list[tuple[int, Stamp]]) -> None:
        """Stamps left, each with the number of its packet."""
        self._stamps_sent.update(stamps)

    def on_arrivals(self, first_number: int, arrivals_s: list[float | None]) -> None:
        """Packets with consecutive numbers arrive at these times; None: never."""
        if not self._stamps_sent:
            return
        for number, arrival_s in enumerate(arrivals_s, start=first_number):
            stamp = self._stamps_sent.pop(number, None)
            if stamp is not None and arrival_s is not None:
                self._stamps.append((arrival_s, stamp))

    def ask(self, log: FlowLog | None, *, now_s: float) -> None:
        """Ask for a window, by all stamps that have come."""
        checked = self._checked
        while self._stamps and self._stamps[0][0] <= now_s:
            arrival_s, stamp = self._stamps.popleft()
            checked.on_stamp(stamp, received_time_s=arrival_s)
            self._last_stamp = stamp
            if log is not None:
                log.on_stamp(stamp, self._scheme, time_s=arrival_s)
        feedback = checked.feedback(now_s=now_s)
        if feedback is not None:
            if log is not None:
                log.on_request(feedback, time_s=now_s)
            self.feedback.append((self._way_back.arrival_s(now_s), feedback))
        self.due_s = now_s + self._next_s()

    def _next_s(self) -> float:
        """How long after a feedback it asks again."""
        return feedback_interval_s(self._last_stamp) if self._interval_s is None else self._interval_s
