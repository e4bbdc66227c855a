"""A policy's card: what it sees, what it does, how it was made, what it achieved. `NAME.json` beside `NAME.onnx`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from cc.core.decision import Amount, Choices, Feature, PolicySpace

FORMAT = 1
OBSERVATION = "observation"
SCORES = "scores"
ACTION = "action"
RESUMED = "resumed_at_steps"
MISSING = "missing_traces"
STATES = ("hidden", "cell")
"""The recurrent state's inputs; its outputs are called the same with `next_` in front."""


class CardError(ValueError):
    """A card that cannot be used; the message names the file."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a model was made."""

    command: str
    algorithm: str
    steps: int
    seed: int
    commit: str
    versions: Mapping[str, str]
    parameters: Mapping[str, Any]
    reward: str
    """In words and symbols."""
    scenarios: Mapping[str, Any]
    splits_sha256: str
    resumed_at_steps: tuple[int, ...] = ()
    """Decisions after which it went on with scenarios drawn anew: `command` makes the same only up to the first."""
    missing_traces: tuple[str, ...] = ()
    """Of those that it would have practised on, what was not installed."""


@dataclass(frozen=True, slots=True)
class Card:
    """Everything that is known of a model."""

    name: str
    scheme: str
    """As in cc.registry."""
    source: str
    """The paper."""
    space: PolicySpace
    sha256: str
    """Of `NAME.onnx`."""
    opset: int
    recurrent_units: int | None
    """Size of the hidden and of the cell state; None for a policy without memory."""
    training: Training
    results: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def output(self) -> str:
        """The model's answer: a score for each choice, or the amount."""
        return SCORES if isinstance(self.space.actions, Choices) else ACTION

    def as_json(self) -> str:
        """The file's text; the browser reads the same."""
        space = self.space
        return json.dumps(
            {
                "format": FORMAT,
                "name": self.name,
                "scheme": self.scheme,
                "source": self.source,
                "features": [asdict(feature) for feature in space.features],
                "history": space.history,
                "interval": space.interval,
                "actions": {"kind": "choices" if isinstance(space.actions, Choices) else "amount"}
                | asdict(space.actions),
                "model": {"sha256": self.sha256, "opset": self.opset, "recurrent_units": self.recurrent_units},
                "training": _training_json(self.training),
                "results": dict(self.results),
                "notes": list(self.notes),
            },
            indent=2,
        )


def read_card(file: Path) -> Card:
    """Raises CardError."""
    try:
        json_card = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise CardError(f"card {file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise CardError(f"card {file} is no JSON: {error}") from error
    try:
        return _card(json_card)
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        what = f"field {error} is missing" if isinstance(error, KeyError) else str(error)
        raise CardError(f"card {file}: {what}") from error


def _card(json_card: Mapping[str, Any]) -> Card:
    if json_card["format"] != FORMAT:
        raise ValueError(f"format {json_card['format']!r} is not {FORMAT}")
    model = json_card["model"]
    return Card(
        name=_text(json_card, "name"),
        scheme=_text(json_card, "scheme"),
        source=_text(json_card, "source"),
        space=_space(json_card),
        sha256=_text(model, "sha256"),
        opset=int(model["opset"]),
        recurrent_units=None if model["recurrent_units"] is None else int(model["recurrent_units"]),
        training=_training(json_card["training"]),
        results=_results(json_card["results"]),
        notes=tuple(json_card["notes"]),
    )


def _results(found: object) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise TypeError(f"results {str(found)[:50]!r} are no object")
    return found


def _training(json_training: Mapping[str, Any]) -> Training:
    """Cards say nothing of resumptions and missing traces where there were none."""
    resumed, missing = json_training.get(RESUMED, []), json_training.get(MISSING, [])
    if not isinstance(resumed, list) or not all(isinstance(steps, int) for steps in resumed):
        raise ValueError(f"field {RESUMED!r} is {resumed!r} and no list of whole numbers")
    if not isinstance(missing, list) or not all(isinstance(name, str) for name in missing):
        raise ValueError(f"field {MISSING!r} is {missing!r} and no list of names")
    others = {item.name: json_training[item.name] for item in fields(Training) if item.name not in (RESUMED, MISSING)}
    return Training(**others, resumed_at_steps=tuple(resumed), missing_traces=tuple(missing))


def _training_json(training: Training) -> dict[str, Any]:
    written = asdict(training)
    for name in (RESUMED, MISSING):
        if not written[name]:
            del written[name]
    return written


def _space(json_card: Mapping[str, Any]) -> PolicySpace:
    actions = json_card["actions"]
    kinds = {"choices": _choices, "amount": _amount}
    if actions["kind"] not in kinds:
        raise ValueError(f"actions of kind {actions['kind']!r}; known kinds: {', '.join(kinds)}")
    return PolicySpace(
        features=tuple(Feature(**feature) for feature in json_card["features"]),
        history=int(json_card["history"]),
        actions=kinds[actions["kind"]](actions),
        interval=_text(json_card, "interval"),
    )


def _choices(json_actions: Mapping[str, Any]) -> Choices | Amount:
    return Choices(tuple(float(value) for value in json_actions["values"]), json_actions["meaning"])


def _amount(json_actions: Mapping[str, Any]) -> Choices | Amount:
    return Amount(float(json_actions["low"]), float(json_actions["high"]), json_actions["meaning"])


def _text(json_object: Mapping[str, Any], name: str) -> str:
    value = json_object[name]
    if not isinstance(value, str):
        raise ValueError(f"field {name!r} is {value!r} and no text")
    return value
