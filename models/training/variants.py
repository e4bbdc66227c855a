"""A recipe with something changed, as `NAME=VALUE` says it: algorithm, history, family of links, a parameter.

Algorithms other than the recipe's own run with the recipe's discount and otherwise near Stable-Baselines3's parameters:
none of them was tuned. Where the policy has no memory, a history in the observation takes its place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cc.core.decision import Choices
from models.recipes.recipe import IMITATING, RECURRENT, SHARING, Falling, Recipe, VariantError
from models.scenarios.splits import split_traces
from models.scenarios.traces import family_of

ALGORITHM, HISTORY, FAMILY = "algorithm", "history", "family"
NORMALISING = ("ppo", SHARING, RECURRENT)
"""Algorithms that divide the advantages of a batch by their deviation."""
MEMORY_UNITS = 64
HISTORY_WITHOUT_MEMORY = 5

PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "a2c": {"learning_rate": 7e-4, "n_steps": 5},
    "dqn": {
        "learning_rate": 1e-4,
        "buffer_size": 50_000,
        "learning_starts": 1000,
        "train_freq": 4,
        "gradient_steps": 4,  # four environments take four steps each: one update for four of them, as it is with one
        "exploration_fraction": 0.2,
    },
    "ppo": {"learning_rate": 3e-4, "n_steps": 256, "batch_size": 256, "n_epochs": 10},
    RECURRENT: {"learning_rate": 3e-4, "n_steps": 256, "batch_size": 256, "n_epochs": 10},
}


def variant(recipe: Recipe, changes: Mapping[str, str]) -> Recipe:
    """The recipe with these changes. Raises VariantError."""
    rest = dict(changes)
    if ALGORITHM in rest:
        recipe = _with_algorithm(recipe, rest.pop(ALGORITHM))
    if HISTORY in rest:
        recipe = recipe.with_history(_positive(HISTORY, rest.pop(HISTORY)))
    if FAMILY in rest:
        recipe = _over_family(recipe, rest.pop(FAMILY))
    for name, value in rest.items():
        recipe = recipe.with_parameters({name: _parameter(recipe, name, value)})
    _check_together(recipe)
    return recipe


def _check_together(recipe: Recipe) -> None:
    """Raises VariantError for numbers that the algorithm cannot take together."""
    numbers = recipe.parameters
    if recipe.algorithm == IMITATING and numbers["n_steps"] % numbers["chunk"]:
        raise VariantError(f"n_steps {numbers['n_steps']} must be a whole number of chunks of {numbers['chunk']}")
    if recipe.algorithm in NORMALISING and numbers.get("batch_size") == 1:
        raise VariantError("batch_size must be at least 2: the advantage of one decision has no deviation")


def _with_algorithm(recipe: Recipe, name: str) -> Recipe:
    if name == recipe.algorithm:
        return recipe
    if name not in PARAMETERS:
        raise VariantError(f"algorithm {name!r} is none to compare with; known: {', '.join(PARAMETERS)}")
    if name == "dqn" and not isinstance(recipe.space.actions, Choices):
        raise VariantError(f"algorithm dqn answers with one of several choices, and {recipe.name} wants an amount")
    is_recurrent = name == RECURRENT
    parameters = {**PARAMETERS[name], "gamma": recipe.parameters.get("gamma", 0.99)}
    changed = replace(recipe, algorithm=name, parameters=parameters, lstm_units=MEMORY_UNITS if is_recurrent else None)
    if is_recurrent:
        return changed.with_history(1)
    return changed.with_history(HISTORY_WITHOUT_MEMORY) if recipe.algorithm == RECURRENT else changed


def _over_family(recipe: Recipe, family: str) -> Recipe:
    traces = tuple(name for name in split_traces("training") if family_of(name) == family)
    if not traces:
        known = ", ".join(sorted({family_of(name) for name in split_traces("training")}))
        raise VariantError(f"family {family!r} has no traces to train with; known families: {known}")
    practice = None if recipe.practice is None else replace(recipe.practice, traces=traces)
    return replace(recipe, scenarios=replace(recipe.scenarios, traces=traces), practice=practice)


def _positive(name: str, value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise VariantError(f"{name} must be a whole number of at least 1, not {value!r}")
    return int(value)


def _parameter(recipe: Recipe, name: str, value: str) -> float | Falling:
    """A number of the kind that the recipe has there; one that falls, where that one does."""
    numbers = {key: its for key, its in recipe.parameters.items() if _is_number(its)}
    if name not in numbers:
        known = ", ".join((ALGORITHM, HISTORY, FAMILY, *numbers))
        raise VariantError(f"{recipe.name} has no {name!r} that could vary; known: {known}")
    if isinstance(numbers[name], Falling):
        return Falling(_number(name, value))
    return _positive(name, value) if isinstance(numbers[name], int) else _number(name, value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Falling) and not isinstance(value, bool)


def _number(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise VariantError(f"{name} must be a number of at least 0, not {value!r}")
    return number
