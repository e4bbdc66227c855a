"""A sender's host that wakes late: packets leave late, and ACKs are read late; when they came the system noted."""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Sequence
from typing import Any

from cc.core.base import EcnCounts
from cc.core.receiver_base import Feedback
from cc.simulation.flight import Flight
from cc.simulation.sender import SimulatedSender


class LateSender:
    """A simulated sender that is busy with something else for up to `longest_s` at a time."""

    def __init__(self, sender: SimulatedSender, *, longest_s: float, is_noted: bool = True, seed: int = 1) -> None:
        """`is_noted`: whether it knows when ACKs arrived; otherwise they arrive when it reads them."""
        self._sender = sender
        self._longest_s = longest_s
        self._is_noted = is_noted
        self._rng = random.Random(seed)
        self._awake_s = 0.0
        """Before, it does nothing."""
        self._acks: deque[tuple[float, Sequence[int], float, EcnCounts | None]] = deque()
        self._feedback: deque[Feedback] = deque()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the sender has
        return getattr(self._sender, name)

    @property
    def wake_s(self) -> float:
        """When it is woken even if nothing arrives."""
        due_s = self._sender.wake_s if not self._acks and not self._feedback else -math.inf
        return max(due_s, self._awake_s)

    @wake_s.setter
    def wake_s(self, wake_s: float) -> None:
        self._sender.wake_s = wake_s

    def on_ack(
        self, packet_numbers: Sequence[int], *, ack_delay_s: float, now_s: float, ecn: EcnCounts | None = None
    ) -> None:
        """It arrives; it is read when the host wakes."""
        self._acks.append((now_s, packet_numbers, ack_delay_s, ecn))

    def on_feedback(self, feedback: Feedback, *, now_s: float) -> None:
        """The same."""
        del now_s
        self._feedback.append(feedback)

    def on_wake(self, flight: Flight, *, now_s: float, until_s: float) -> None:
        """Do what is due, if it is awake, and be busy with something else then."""
        del until_s
        if now_s < self._awake_s:
            return
        awaited_s = self._acks[0][0] if self._acks and self._is_noted else None
        while self._acks:
            arrived_s, numbers, ack_delay_s, ecn = self._acks.popleft()
            at_s = arrived_s if self._is_noted else now_s
            self._sender.on_ack(numbers, ack_delay_s=ack_delay_s, now_s=at_s, ecn=ecn)
        while self._feedback:
            self._sender.on_feedback(self._feedback.popleft(), now_s=now_s)
        pacer_wake_s = self._sender._pacer_wake_s
        self._sender._pacer.expect_sender(None if pacer_wake_s == math.inf else pacer_wake_s)
        if awaited_s is not None:
            self._sender._pacer.expect_sender_since(awaited_s)
        self._sender.on_wake(flight, now_s=now_s, until_s=now_s)
        self._sender._pacer.expect_sender(None)
        self._awake_s = now_s + self._rng.random() * self._longest_s
