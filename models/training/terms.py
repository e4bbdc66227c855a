"""What a training goes by, as its card writes it: what a checkpoint was trained for, to tell whether it still is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from models.recipes.recipe import ClassByName, Falling, Recipe
from models.scenarios.splits import SPLITS_FILE, Split, missing_traces
from models.training.fingerprint import fingerprint

UNSET = "unset"


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that two terms have otherwise; values as JSON, or `UNSET`."""

    name: str
    """With a dot before each name, or place in a list, further in."""
    first: str
    second: str


def terms(recipe: Recipe) -> dict[str, Any]:
    """As JSON has it."""
    written: dict[str, Any] = json.loads(
        json.dumps(
            {
                "policy": recipe.name,
                "algorithm": recipe.algorithm,
                "parameters": parameters(recipe),
                "lstm_units": recipe.lstm_units,
                "reward": recipe.reward_text,
                "reward_sha256": fingerprint(recipe.reward),
                "episode_reward_sha256": None if recipe.episode_reward is None else fingerprint(recipe.episode_reward),
                "reference": None if recipe.reference is None else recipe.reference.name,
                "window_s": recipe.window_s,
                "space": _without_meanings(asdict(recipe.space)),
                "scenarios": asdict(recipe.practised_scenarios),
                "splits_sha256": splits_sha256(),
                "missing_traces": traces_left_out(recipe),
                **({} if recipe.practice is None else {"judged": asdict(recipe.scenarios)}),
                **({} if recipe.expert is None else {"expert_sha256": fingerprint(recipe.expert)}),
            }
        )
    )
    return written


def parameters(recipe: Recipe) -> dict[str, Any]:
    """The algorithm's, and the network's."""
    return {
        **{name: _written(value) for name, value in recipe.parameters.items()},
        "hidden": list(recipe.hidden),
        "activation": recipe.activation,
        "environments": recipe.environments,
    }


def traces_left_out(recipe: Recipe, split: Split = "training") -> tuple[str, ...]:
    """Of those that it would practise on, what is not installed here. Raises OtherTraceError."""
    scenarios = recipe.practised_scenarios
    has_its_own = scenarios.traces is not None or scenarios.practised_traces is not None
    return () if has_its_own else missing_traces(split)


def splits_sha256() -> str:
    """Of the file that says which traces are for training."""
    return sha256(SPLITS_FILE.read_bytes()).hexdigest()


def first_difference(first: object, second: object, name: str = "") -> Difference | None:
    """In the order of `second`; what is in `first` alone comes last. None if both are the same."""
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        first, second = dict(enumerate(first)), dict(enumerate(second))
    if not isinstance(first, Mapping) or not isinstance(second, Mapping):
        return None if first == second else Difference(name, json.dumps(first), json.dumps(second))
    for key in (*second, *(key for key in first if key not in second)):
        place = f"{name}.{key}" if name else str(key)
        if key not in first:
            return Difference(place, UNSET, json.dumps(second[key]))
        if key not in second:
            return Difference(place, json.dumps(first[key]), UNSET)
        found = first_difference(first[key], second[key], place)
        if found is not None:
            return found
    return None


def _without_meanings(written: object) -> object:
    """To say better what a feature or an action means makes no other policy."""
    if isinstance(written, Mapping):
        return {name: _without_meanings(each) for name, each in written.items() if name != "meaning"}
    return [_without_meanings(each) for each in written] if isinstance(written, list | tuple) else written


def _written(value: object) -> object:
    """As JSON has it."""
    if isinstance(value, Mapping):
        return {str(name): _written(each) for name, each in value.items()}
    if isinstance(value, Falling):
        return f"{value.first:g}, falling to 0"
    if isinstance(value, list | tuple):
        return [_written(each) for each in value]
    return value.path if isinstance(value, ClassByName) else value
