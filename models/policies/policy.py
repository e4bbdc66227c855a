"""Loads a policy: its card, its model, and the certainty that both belong together and to the scheme they serve."""

from __future__ import annotations

import random
from hashlib import sha256
from pathlib import Path

import onnxruntime
from onnxruntime.capi.onnxruntime_pybind11_state import (
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    RuntimeException,
)
from onnxruntime.capi.onnxruntime_pybind11_state import (
    NotImplemented as NoKernel,
)

from cc.core.decision import Choices, DecisionRequest, Learned, PolicySpace
from cc.core.scheme import Scheme
from cc.receiver.presets import DEFAULT_PRESET, preset
from cc.registry import UnknownSchemeError, scheme
from models.policies.card import OBSERVATION, STATES, Card, CardError, read_card
from models.policies.folder import POLICIES
from models.policies.runner import PolicyRunner

VECTORS = ".vectors.json"
"""How the files end that hold policies' answers for the browser; they lie beside the cards."""
TRAINING_FILES = ("run.json", "validation.json")
"""What a training has beside its policy's card (`models.training.run`)."""
MAX_MODEL_BYTES = 2_000_000
MODEL_ERRORS = (Fail, InvalidArgument, InvalidGraph, InvalidProtobuf, NoKernel, RuntimeException, UnicodeDecodeError)
"""What onnxruntime raises for a model that it cannot read or run; the last where its own message is no text."""


class PolicyError(ValueError):
    """A policy that cannot serve; the message is one sentence that names its file."""


class Policy:
    """A model that is ready to run; `runner` makes one with a memory of its own for each flow."""

    def __init__(self, card: Card, session: onnxruntime.InferenceSession) -> None:
        self.card = card
        self._session = session

    def runner(self) -> PolicyRunner:
        """For one flow."""
        return PolicyRunner(self.card, self._session)


def known_policies(folder: Path = POLICIES) -> list[str]:
    """The names of those that are there."""
    return sorted(
        file.stem
        for file in folder.glob("*.json")
        if not file.name.endswith(VECTORS) and file.name not in TRAINING_FILES
    )


def load_policy(name: str, folder: Path = POLICIES, *, space: PolicySpace | None = None) -> Policy:
    """Raises PolicyError for one that is missing, broken, not the card's, or not its scheme's.

    `space`: that of a scheme's variant, instead of the scheme's own.
    """
    card, model = read_policy(name, folder)
    card_file, model_file = folder / f"{name}.json", folder / f"{name}.onnx"
    _check_space(card, card_file, space)
    try:
        session = _session(model)
        _check_shapes(card, session, model_file)
        policy = Policy(card, session)
        policy.runner().decide(DecisionRequest(0, (0.0,) * card.space.observation_size))  # the first run is the slowest
    except MODEL_ERRORS as error:
        raise PolicyError(f"model {model_file} is none that onnxruntime can run: {error}") from error
    return policy


def read_policy(name: str, folder: Path = POLICIES) -> tuple[Card, bytes]:
    """Its card, and the model that the card names. Raises PolicyError where one is missing, broken or another's."""
    card_file = folder / f"{name}.json"
    if not card_file.is_file():
        known = ", ".join(known_policies(folder)) or "none"
        raise PolicyError(f"policy {name!r} has no card {card_file}; known policies: {known}")
    try:
        card = read_card(card_file)
    except CardError as error:
        raise PolicyError(str(error)) from error
    if card.name != name:
        raise PolicyError(f"card {card_file} is that of policy {card.name}: put back its own, or ship {name} anew")
    return card, _model_bytes(card, folder / f"{name}.onnx")


def policy_space(entry: Scheme) -> PolicySpace:
    """What a learned scheme shows its policy, whichever half of it asks. Raises PolicyError."""
    receiver = None if entry.make_receiver is None else entry.make_receiver(preset(DEFAULT_PRESET).parameters)
    for half in (receiver, entry.make_sender(max_datagram_bytes=1200, rng=random.Random(0))):
        if isinstance(half, Learned):
            return half.policy_space
    raise PolicyError(f"scheme {entry.name} asks no policy")


def _model_bytes(card: Card, file: Path) -> bytes:
    try:
        model = file.read_bytes()
    except OSError as error:
        raise PolicyError(f"model {file} cannot be read: {error.strerror}") from error
    if len(model) > MAX_MODEL_BYTES:
        raise PolicyError(f"model {file} has {len(model)} bytes, and {MAX_MODEL_BYTES} are the most")
    digest = sha256(model).hexdigest()
    if digest != card.sha256:
        raise PolicyError(
            f"model {file} has SHA-256 {digest}, and its card says {card.sha256}: put back its own, or ship "
            f"{card.name} anew"
        )
    return model


def _check_space(card: Card, file: Path, space: PolicySpace | None) -> None:
    try:
        expected = space or policy_space(scheme(card.scheme))
    except UnknownSchemeError as error:
        raise PolicyError(f"card {file}: {error}") from error
    if card.space != expected:
        raise PolicyError(
            f"card {file} is for other features, history or actions than scheme {card.scheme} has: train it anew"
        )


def _session(model: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # without a fallback, which would be the same provider again, and words on standard output
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"], enable_fallback=0)


def _check_shapes(card: Card, session: onnxruntime.InferenceSession, file: Path) -> None:
    inputs = {item.name: list(item.shape) for item in session.get_inputs()}
    outputs = {item.name: list(item.shape) for item in session.get_outputs()}
    actions = card.space.actions
    answers = len(actions.values) if isinstance(actions, Choices) else 1
    wanted_inputs = {OBSERVATION: [1, card.space.observation_size]}
    wanted_outputs = {card.output: [1, answers]}
    if card.recurrent_units is not None:
        for state in STATES:
            wanted_inputs[state] = wanted_outputs[f"next_{state}"] = [1, card.recurrent_units]
    if inputs != wanted_inputs or outputs != wanted_outputs:
        raise PolicyError(
            f"model {file} takes {inputs} and gives {outputs}, and its card wants {wanted_inputs} and {wanted_outputs}"
        )
