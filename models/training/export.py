"""From a trained model to ONNX: physical features in, scores or an amount out, and the proof that both say the same."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm

from cc.core.decision import Amount, Choices
from models.policies.card import ACTION, OBSERVATION, SCORES, STATES
from models.recipes.recipe import Recipe

OPSET = 18
TOLERANCE = 1e-5  # relative to the largest answer, or 1 where that is smaller
Tensors = tuple[torch.Tensor, ...]


class ExportError(RuntimeError):
    """The exported model does not say what the trained one says."""


class ExportedPolicy(torch.nn.Module):
    """What is served of a policy: no value function, no random numbers."""

    def __init__(self, model: BaseAlgorithm, recipe: Recipe) -> None:
        super().__init__()
        self.policy = model.policy
        self.amount = recipe.space.actions if isinstance(recipe.space.actions, Amount) else None
        self.kind = recipe.algorithm
        self.recurrent_units = recurrent_units(model)

    def forward(self, observation: torch.Tensor, *states: torch.Tensor) -> torch.Tensor | Tensors:
        """The answer, and the states that come next where there are any."""
        if hasattr(self.policy, "q_net"):
            return self.policy.q_net(observation)  # type: ignore[no-any-return]
        features = self.policy.pi_features_extractor(observation)
        if self.recurrent_units is None:
            return self._answer(self.policy.mlp_extractor.forward_actor(features))
        hidden, (next_hidden, next_cell) = self.policy.lstm_actor(
            features.unsqueeze(0), (states[0].unsqueeze(0), states[1].unsqueeze(0))
        )
        answer = self._answer(self.policy.mlp_extractor.forward_actor(hidden.squeeze(0)))
        return answer, next_hidden.squeeze(0), next_cell.squeeze(0)

    def _answer(self, latent: torch.Tensor) -> torch.Tensor:
        answer: torch.Tensor = self.policy.action_net(latent)
        if self.amount is None:
            return answer
        low, high = self.amount.low, self.amount.high
        return low + (torch.clamp(answer, -1.0, 1.0) + 1) / 2 * (high - low)


def recurrent_units(model: BaseAlgorithm) -> int | None:
    """Size of the memory; None without one."""
    lstm = getattr(model.policy, "lstm_actor", None)
    return None if lstm is None else int(lstm.hidden_size)


def export(model: BaseAlgorithm, recipe: Recipe, file: Path) -> None:
    """Write `file` and check it. Raises ExportError."""
    exported = ExportedPolicy(model, recipe).eval()
    arguments = _arguments(exported, np.zeros((1, recipe.space.observation_size), np.float32))
    answer = SCORES if isinstance(recipe.space.actions, Choices) else ACTION
    states = STATES if exported.recurrent_units is not None else ()
    with _silence():
        program = torch.onnx.export(
            exported,
            arguments,
            input_names=[OBSERVATION, *states],
            output_names=[answer, *(f"next_{state}" for state in states)],
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    file.parent.mkdir(parents=True, exist_ok=True)
    onnx.save_model(_without_traces_of_this_machine(program.model_proto), str(file))
    difference = largest_difference(exported, recipe, file)
    if not difference <= TOLERANCE:
        raise ExportError(f"{file} differs from the trained model by {difference:.2g}, more than {TOLERANCE:g}")


@contextmanager
def _silence() -> Iterator[None]:
    """The exporter warns of its own internals, and of packages that no policy needs."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _without_traces_of_this_machine(proto: onnx.ModelProto) -> onnx.ModelProto:
    """The exporter notes source lines and paths in every node."""
    proto.doc_string = ""
    del proto.metadata_props[:]
    for node in proto.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    for value in (*proto.graph.value_info, *proto.graph.input, *proto.graph.output):
        del value.metadata_props[:]
    return proto


def largest_difference(exported: ExportedPolicy, recipe: Recipe, file: Path, *, samples: int = 200) -> float:
    """Between PyTorch and ONNX over random observations, states carried on; relative as `TOLERANCE` says."""
    session = onnxruntime.InferenceSession(file.read_bytes(), providers=["CPUExecutionProvider"])
    names = [item.name for item in session.get_inputs()]
    rng = np.random.default_rng(1)
    low = np.tile([feature.low for feature in recipe.space.features], recipe.space.history)
    high = np.tile([feature.high for feature in recipe.space.features], recipe.space.history)
    worst = 0.0
    states: list[NDArray[np.float32]] = []
    for _ in range(samples):
        observation = rng.uniform(low - 0.1 * (high - low), high + 0.1 * (high - low))[None].astype(np.float32)
        arguments = _arguments(exported, observation, states)
        with torch.no_grad():
            expected = exported(*arguments)
        expected = expected if isinstance(expected, tuple) else (expected,)
        found = session.run(None, dict(zip(names, (each.numpy() for each in arguments), strict=True)))
        for one, other in zip(expected, found, strict=True):
            scale = max(1.0, float(np.abs(one.numpy()).max()))
            worst = max(worst, float(np.abs(one.numpy() - other).max()) / scale)
        states = list(found[1:])
    return worst


def _arguments(
    exported: ExportedPolicy, observation: NDArray[np.float32], states: list[NDArray[np.float32]] | None = None
) -> Tensors:
    units = exported.recurrent_units
    if units is None:
        return (torch.as_tensor(observation),)
    given = states or [np.zeros((1, units), np.float32) for _ in STATES]
    return (torch.as_tensor(observation), *(torch.as_tensor(state) for state in given))
