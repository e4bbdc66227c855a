"""One training and its folder: what is known of it, and whether it can be gone on with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from models.policies.policy import TRAINING_FILES
from models.recipes.recipe import Recipe
from models.training.terms import first_difference, terms

STATE, VALIDATION = TRAINING_FILES
"""What is known of a run; how the trained model did, which `models.training.ship` writes."""


class RunError(ValueError):
    """A run that cannot be made, gone on with or shipped; the message is one sentence that names file or folder."""


class DamagedRunError(RunError):
    """A file of it is damaged or missing."""


class ChangedRecipeError(RunError):
    """It was trained by another recipe than the one there is now."""


class OtherSeedError(RunError):
    """The folder of a seed holds the training of another."""


class OverwriteError(RunError):
    """A longer training lies in its folder."""


class UnfinishedError(RunError):
    """It was stopped before its end."""


class FolderError(RunError):
    """Its folder cannot be made."""


@dataclass(frozen=True, slots=True)
class State:
    """What is known of a run since its last checkpoint."""

    seed: int
    steps: int
    """Decisions that it is, or was, to be trained for."""
    steps_done: int
    """That it has learned from: whole rollouts, and so more at the end."""
    commit: str
    """Of the code that trained last."""
    resumed_at_steps: tuple[int, ...]
    terms: Mapping[str, Any]
    """`models.training.terms` of the recipe that it goes by."""

    @property
    def is_done(self) -> bool:
        """Whether it came to its end."""
        return self.steps_done >= self.steps

    def as_json(self) -> str:
        """The file's text."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class Run:
    """One training: a policy and a seed, with a folder of its own."""

    recipe: Recipe
    seed: int
    steps: int
    folder: Path
    uses_processes: bool = False
    """Whether each environment has a process of its own."""
    commit: str = "unknown"
    """Of the code that trains."""
    resumed_at_steps: tuple[int, ...] = ()
    """Decisions after which it went on with new scenarios."""

    @property
    def state(self) -> State | None:
        """None before the first checkpoint. Raises DamagedRunError."""
        file = self.folder / STATE
        if not file.is_file():
            return None
        state = _state(_json(file))
        if state is None:
            raise DamagedRunError(self.damage(STATE))
        return state

    def trained_state(self) -> State:
        """That of a checkpoint of this seed which goes by the recipe.

        Raises DamagedRunError, OtherSeedError and ChangedRecipeError.
        """
        state = self.state
        if state is None:
            raise DamagedRunError(self.damage(STATE))
        if state.seed != self.seed:
            raise OtherSeedError(
                f"{self.folder} holds a training of seed {state.seed}, a copy of which is no other seed: remove it"
            )
        apart = first_difference(state.terms, terms(self.recipe))
        if apart is not None:
            raise ChangedRecipeError(
                f"{self.folder / STATE} was trained with {apart.name} {apart.first}, and the recipe of "
                f"{self.recipe.name} has {apart.second}: {self._anew()}"
            )
        return state

    def check_nothing_is_lost(self) -> None:
        """Before it is trained anew, which would overwrite what is there. Raises OverwriteError."""
        found = _json(self.folder / STATE)
        counts = [found.get(name) for name in ("steps", "steps_done")] if isinstance(found, dict) else []
        trained = min((number for number in counts if isinstance(number, int)), default=0)
        if trained > self.steps:
            raise OverwriteError(
                f"{self.folder} has a training of {trained} decisions, which one of {self.steps} would overwrite: "
                "go on with it (--resume), take another --seed or --output, or remove that folder"
            )

    def forget_longer(self, steps_done: int) -> None:
        """Before a checkpoint after so many decisions goes, file by file, in the place of a longer training's."""
        file = self.folder / STATE
        found = _json(file)
        there = found.get("steps_done") if isinstance(found, dict) else None
        if isinstance(there, int) and there > steps_done:
            file.unlink()

    def make_folder(self) -> None:
        """Raises FolderError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(
                f"folder {self.folder} cannot be made: {error.strerror}; give another with --output"
            ) from error

    def damage(self, name: str) -> str:
        """The sentence that says what is wrong with a file of it."""
        file = self.folder / name
        return f"{file} is {'damaged' if file.is_file() else 'missing'}: {self._anew()}"

    def _anew(self) -> str:
        return f"remove {self.folder} and train this seed anew"


def _json(file: Path) -> object:
    """None where there is none, or no JSON."""
    try:
        found: object = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None
    except ValueError:
        return None
    return found


def _state(found: object) -> State | None:
    """None for what is no state."""
    if not isinstance(found, dict) or found.keys() != State.__dataclass_fields__.keys():
        return None
    resumed = found["resumed_at_steps"]
    numbers = [found["seed"], found["steps"], found["steps_done"], *(resumed if isinstance(resumed, list) else [None])]
    if not all(isinstance(number, int) for number in numbers):
        return None
    if not isinstance(found["commit"], str) or not isinstance(found["terms"], dict):
        return None
    return State(**{**found, "resumed_at_steps": tuple(resumed)})
