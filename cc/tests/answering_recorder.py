"""Vectors of learned receivers: stamps, feedback, requests, and answers in time, late, useless and missing."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from typing import Any

from cc.core.base import Phase
from cc.core.decision import Choices, Learned
from cc.core.receiver_base import Feedback, Stamp
from cc.receiver.window_receiver import WindowReceiver

USELESS = (None, 5, 0.5)
LATE_BY_STAMPS = 3
STAMPS = 400
STAMP_INTERVAL_S = 1 / 32


class Answers:
    """Answers the requests of a receiver that was given feedback, and notes both in the last step."""

    def __init__(self, receiver: WindowReceiver, *, seed: int) -> None:
        """Raises TypeError for a receiver that asks nothing."""
        if not isinstance(receiver, Learned) or not isinstance(receiver.policy_space.actions, Choices):
            raise TypeError(f"{type(receiver).__name__} asks no policy for a choice")
        self._learned = receiver
        self._count = len(receiver.policy_space.actions.values)
        self._rng = random.Random(seed)
        self._asked = -1
        self._late: tuple[int, int] | None = None
        """Steps to wait, and the request."""

    def on_feedback(self, step: dict[str, Any], *, now_s: float) -> None:
        """Feedback was given after this step."""
        step["feedback_s"] = now_s
        request = self._learned.request
        if request is not None and request.sequence > self._asked:
            self._asked = request.sequence
            step["request"] = {"sequence": request.sequence, "observation": request.observation}
            self._answer_or_wait(step, request.sequence)
        elif self._late is not None:
            steps, sequence = self._late
            self._late = (steps - 1, sequence) if steps > 1 else None
            if steps == 1:
                self._answer(step, sequence, self._rng.randrange(self._count))
        step["k"] = step_k(self._learned, now_s)

    def _answer_or_wait(self, step: dict[str, Any], sequence: int) -> None:
        self._late = None
        kind = self._rng.random()
        if kind < 0.7:
            self._answer(step, sequence, self._rng.randrange(self._count))
        elif kind < 0.8:
            self._answer(step, sequence, self._rng.choice(USELESS))
        elif kind < 0.9:
            self._late = (LATE_BY_STAMPS, sequence)

    def _answer(self, step: dict[str, Any], sequence: int, action: float | None) -> None:
        step["answer"] = {"sequence": sequence, "action": action}
        self._learned.on_decision(sequence, action)


def space_of(receiver: object) -> dict[str, Any]:
    """What the receiver shows its policy; both languages must say the same."""
    assert isinstance(receiver, Learned)
    return dataclasses.asdict(receiver.policy_space)


def step_k(learned: object, now_s: float) -> float | None:
    """The k in force."""
    assert isinstance(learned, WindowReceiver)
    return learned.state(now_s=now_s).k


def answered_steps(
    receiver: WindowReceiver, step_of: Callable[[WindowReceiver, Stamp, float], dict[str, Any]], *, seed: int
) -> list[dict[str, Any]]:
    """Stamps made up so that a queue comes and goes, with losses, pauses and a sender short of data."""
    answers = Answers(receiver, seed=seed)
    steps: list[dict[str, Any]] = []
    for stamp, received_time_s in _stamps(random.Random(seed)):
        receiver.on_stamp(stamp, received_time_s=received_time_s)
        steps.append(step_of(receiver, stamp, received_time_s))
        feedback: Feedback | None = receiver.feedback(now_s=received_time_s)
        if feedback is not None:
            answers.on_feedback(steps[-1], now_s=received_time_s)
    return steps


def _stamps(rng: random.Random) -> Iterator[tuple[Stamp, float]]:
    packets_sent, epoch, recovers_for, send_time_s, queue_s = 0, 0, 0, 500.0, 0.0
    for sequence in range(STAMPS):
        packets_sent += rng.randint(4, 60)
        send_time_s += STAMP_INTERVAL_S + (rng.uniform(0.2, 2.0) if rng.random() < 0.02 else 0.0)
        queue_s = min(0.2, max(0.0, queue_s + rng.uniform(-0.02, 0.02)))
        if recovers_for == 0 and rng.random() < 0.02:
            epoch, recovers_for = epoch + 1, 4
        stamp = Stamp(
            sequence=sequence,
            epoch=epoch,
            phase=Phase.SLOW_START if sequence < 10 else Phase.RECOVERY if recovers_for > 0 else Phase.AVOIDANCE,
            send_time_s=send_time_s,
            bytes_sent=packets_sent * 1200,
            packets_sent=packets_sent,
            smoothed_rtt_s=0.050 + queue_s,
            min_rtt_s=0.050,
            cwnd_bytes=150_000,
            max_datagram_bytes=1200,
            is_app_limited=rng.random() < 0.1,
        )
        recovers_for = max(0, recovers_for - 1)
        if rng.random() < 0.95:  # the others are lost
            yield stamp, send_time_s - 470.0 + 0.025 + queue_s
