"""Runs a policy for one flow: observations in, actions out; the memory of a recurrent one stays in here.

The model reads and writes arrays that it is bound to once: to hand them over for each answer takes as long again as a
small network does.
"""

from __future__ import annotations

import math

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from cc.core.decision import Choices, DecisionRequest
from models.policies.card import OBSERVATION, SCORES, STATES, Card


class PolicyRunner:
    """Answers a flow's requests, in order; its `decide` is what cc calls `Decide`."""

    def __init__(self, card: Card, session: onnxruntime.InferenceSession) -> None:
        self.card = card
        self._session = session
        actions = card.space.actions
        self._observation = _zeros(1, card.space.observation_size)
        self._answer = _zeros(1, len(actions.values) if isinstance(actions, Choices) else 1)
        units = 0 if card.recurrent_units is None else card.recurrent_units
        self._memory, self._next = _zeros(len(STATES), 1, units), _zeros(len(STATES), 1, units)
        self._binding, self._next_binding = self._bound(self._memory, self._next), self._bound(self._next, self._memory)
        self._is_recurrent = units > 0

    def decide(self, request: DecisionRequest) -> float | None:
        """The action: the index of a choice, or an amount; None where the model gives no finite number."""
        self._observation[0] = request.observation
        self._session.run_with_iobinding(self._binding)
        answer: list[float] = self._answer[0].tolist()
        if not all(map(math.isfinite, answer)):
            return None
        if self._is_recurrent:
            if not np.isfinite(self._next).all():
                return None
            self._memory, self._next = self._next, self._memory
            self._binding, self._next_binding = self._next_binding, self._binding
        return answer.index(max(answer)) if self.card.output == SCORES else answer[0]

    def _bound(self, memory: NDArray[np.float32], following: NDArray[np.float32]) -> onnxruntime.IOBinding:
        """The model with its arrays: it remembers what one holds, and writes into the other."""
        binding = self._session.io_binding()
        binding.bind_ortvalue_input(OBSERVATION, _shared(self._observation))
        binding.bind_ortvalue_output(self.card.output, _shared(self._answer))
        if self.card.recurrent_units is not None:
            for index, state in enumerate(STATES):
                binding.bind_ortvalue_input(state, _shared(memory[index]))
                binding.bind_ortvalue_output(f"next_{state}", _shared(following[index]))
        return binding


def _zeros(*shape: int) -> NDArray[np.float32]:
    return np.zeros(shape, np.float32)


def _shared(array: NDArray[np.float32]) -> onnxruntime.OrtValue:
    """onnxruntime's view of an array, of which it keeps no copy."""
    return onnxruntime.OrtValue.ortvalue_from_numpy(array)
