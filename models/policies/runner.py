"""Runs a policy for one flow: observations in, actions out; the memory of a recurrent one stays in here."""

from __future__ import annotations

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from cc.core.decision import DecisionRequest
from models.policies.card import OBSERVATION, SCORES, STATES, Card


class PolicyRunner:
    """Answers a flow's requests, in order; its `decide` is what cc calls `Decide`."""

    def __init__(self, card: Card, session: onnxruntime.InferenceSession) -> None:
        self.card = card
        self._session = session
        self._observation = np.zeros((1, card.space.observation_size), np.float32)
        self._outputs = [card.output]
        self._inputs = {OBSERVATION: self._observation}
        if card.recurrent_units is not None:
            self._outputs += [f"next_{state}" for state in STATES]
            self._inputs |= {state: np.zeros((1, card.recurrent_units), np.float32) for state in STATES}

    def decide(self, request: DecisionRequest) -> float | None:
        """The action: the index of a choice, or an amount; None where the model gives no finite number."""
        self._observation[0] = request.observation
        answer, *states = self._session.run(self._outputs, self._inputs)
        if not np.isfinite(answer).all():
            return None
        if states and not all(np.isfinite(state).all() for state in states):
            return None
        self._inputs.update(zip(STATES, states, strict=False))
        return self._action(answer[0])

    def _action(self, answer: NDArray[np.float32]) -> float:
        if self.card.output == SCORES:
            return int(answer.argmax())
        return float(answer[0])
