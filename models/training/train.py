"""Trains one policy from one seed: progress, TensorBoard, checkpoints, and a model that says what was learned."""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import torch
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv
from tqdm import tqdm

from models.training.algorithms import algorithm, make_model
from models.training.environment import CongestionEnv
from models.training.recipe import Recipe

CHECKPOINTS = 20  # in a whole training
MODEL = "checkpoint.zip"
MODEL_MEMBERS = {"data", "policy.pth"}
"""What a model's archive has at least."""
REPLAY = "replay.pkl"
PICKLE_ERRORS = (
    pickle.UnpicklingError,
    AttributeError,
    EOFError,
    ImportError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)
"""What reading bytes that are no pickle raises: its documentation names the first five, and does not end there."""
STATE = "run.json"
CHOSEN_ANEW: dict[str, Any] = {"replay_buffer_class": None}
"""Stable-Baselines3 chooses a buffer by `n_steps`, and warns of one that is given: its own choice of before, too."""
VALIDATION = "validation.json"
"""How the trained model did: `models.training.ship` writes it."""


class DamagedRunError(ValueError):
    """A run that cannot be gone on with; the message is one sentence that names the file."""


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

    @property
    def state(self) -> dict[str, Any]:
        """What is known of it; empty before its first checkpoint. Raises DamagedRunError."""
        file = self.folder / STATE
        if not file.is_file():
            return {}
        try:
            state = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise DamagedRunError(_damage(file)) from error
        if not isinstance(state, dict) or not all(isinstance(state.get(name), int) for name in ("steps", "steps_done")):
            raise DamagedRunError(_damage(file))
        return state


def _damage(file: Path) -> str:
    return f"{file} is {'damaged' if file.is_file() else 'missing'}: train this seed anew, without --resume"


def train(run: Run, *, resumes: bool) -> BaseAlgorithm:
    """Train to the end, from the last checkpoint on if `resumes` and there is one. Raises DamagedRunError.

    What was validated before is not of the model that comes out, and is removed.
    """
    torch.set_num_threads(1)
    run.folder.mkdir(parents=True, exist_ok=True)
    done = int(run.state.get("steps_done", 0)) if resumes else 0
    environments = _environments(run, done)
    try:
        if done:
            model = _load(run, environments)
        else:
            log_folder = str(run.folder / "tensorboard")
            model = make_model(run.recipe, environments, seed=run.seed, log_folder=log_folder)
        if model.num_timesteps < run.steps:
            (run.folder / VALIDATION).unlink(missing_ok=True)
            model.learn(
                run.steps - model.num_timesteps,
                callback=_Progress(run),
                reset_num_timesteps=not done,
                tb_log_name=f"seed-{run.seed}",
            )
            save(run, model)
    finally:
        environments.close()
    return model


def save(run: Run, model: BaseAlgorithm) -> None:
    """A checkpoint. Files are renamed into place, the state last: a kill leaves the one before."""
    _replace(run.folder / MODEL, model.save)
    if isinstance(model, OffPolicyAlgorithm):
        _replace(run.folder / REPLAY, model.save_replay_buffer)
    state = {
        "policy": run.recipe.name,
        "seed": run.seed,
        "steps": run.steps,
        "steps_done": model.num_timesteps,
        "commit": run.commit,
    }
    _replace(run.folder / STATE, lambda file: file.write_text(json.dumps(state), encoding="utf-8"))


def load_trained(run: Run) -> BaseAlgorithm:
    """The model of a run, without environments. Raises DamagedRunError."""
    return algorithm(run.recipe.algorithm).make.load(_model_file(run), device="cpu", custom_objects=CHOSEN_ANEW)


def _load(run: Run, environments: VecEnv) -> BaseAlgorithm:
    model = algorithm(run.recipe.algorithm).make.load(
        _model_file(run), env=environments, device="cpu", custom_objects=CHOSEN_ANEW
    )
    if isinstance(model, OffPolicyAlgorithm):
        replay = run.folder / REPLAY
        try:
            with replay.open("rb") as file:
                model.load_replay_buffer(file)
        except (FileNotFoundError, *PICKLE_ERRORS) as error:
            raise DamagedRunError(_damage(replay)) from error
    return model


def _model_file(run: Run) -> Path:
    """The checkpoint, if its archive is whole: what fails in loading it then is no damage."""
    file = run.folder / MODEL
    try:
        with ZipFile(file) as archive:
            is_whole = archive.testzip() is None and set(archive.namelist()) >= MODEL_MEMBERS
    except (FileNotFoundError, BadZipFile) as error:
        raise DamagedRunError(_damage(file)) from error
    if not is_whole:
        raise DamagedRunError(_damage(file))
    return file


def _replace(file: Path, write: Callable[[Path], object]) -> None:
    """SB3 adds endings of its own to names that have none of them, so the new file's name ends as the old one's."""
    new = file.with_name(f"new-{file.name}")
    write(new)
    os.replace(new, file)


def _environments(run: Run, done: int) -> VecEnv:
    """Each with scenarios of its own; those after a resumption are new ones."""

    def make() -> Monitor[Any, Any]:
        return Monitor(CongestionEnv(run.recipe), info_keywords=("utilisation", "queueing_delay_s"))

    makers = [make] * run.recipe.environments
    environments: VecEnv = SubprocVecEnv(makers) if run.uses_processes else DummyVecEnv(makers)
    environments.seed(1_000_003 * run.seed + done)
    return environments


class _Progress(BaseCallback):
    """A bar, checkpoints, and what the episodes achieved."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run
        self._every = max(1, run.steps // CHECKPOINTS)
        self._saved = 0
        self._bar: tqdm[Any] | None = None

    def _on_training_start(self) -> None:
        self._saved = self.num_timesteps
        self._bar = tqdm(
            total=self._run.steps,
            initial=self.num_timesteps,
            desc=f"{self._run.recipe.name} seed {self._run.seed}",
            unit="step",
            mininterval=0.5 if sys.stderr.isatty() else 20,
        )

    def _on_step(self) -> bool:
        assert self._bar is not None
        self._bar.update(min(self.num_timesteps, self._run.steps) - self._bar.n)
        for info in self.locals["infos"]:
            if "episode" in info:
                self._note(info["episode"])
        if self.num_timesteps - self._saved >= self._every:
            self._saved = self.num_timesteps
            save(self._run, self.model)
        return True

    def _note(self, episode: dict[str, float]) -> None:
        assert self._bar is not None
        reward = episode["r"] / episode["l"]
        self._bar.set_postfix_str(f"reward {reward:.3f}", refresh=False)
        self.logger.record_mean("episode/reward_per_decision", reward)
        for name in ("utilisation", "queueing_delay_s"):
            self.logger.record_mean(f"episode/{name}", episode[name])

    def _on_training_end(self) -> None:
        assert self._bar is not None
        self._bar.close()
