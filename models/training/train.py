"""Trains one policy from one seed: progress, TensorBoard, checkpoints, and a model that says what was learned."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import torch
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv

from models.training.algorithms import algorithm, make_model
from models.training.environment import CongestionEnv
from models.training.progress import Progress
from models.training.run import STATE, VALIDATION, DamagedRunError, Run, State
from models.training.terms import terms

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
CHOSEN_ANEW: dict[str, Any] = {"replay_buffer_class": None}
"""Stable-Baselines3 chooses a buffer by `n_steps`, and warns of one that is given: its own choice of before, too."""


def train(run: Run, *, resumes: bool) -> BaseAlgorithm:
    """Train to the end, from the last checkpoint on if `resumes` and there is one. Raises RunError, NoDecisionError.

    Of one that came to its end only the model is needed: a replay buffer may be gone. What was validated before is not
    of the model that comes out, and is removed.
    """
    torch.set_num_threads(1)
    if not resumes:
        run.check_nothing_is_lost()
    state = run.trained_state() if resumes and (run.folder / STATE).exists() else None
    if state is not None and state.steps_done >= run.steps:
        return load_trained(run)
    run.make_folder()
    environments = _environments(run)
    try:
        if state is None:
            log_folder = str(run.folder / "tensorboard")
            model = make_model(run.recipe, environments, seed=run.seed, log_folder=log_folder)
        else:
            model = _load(run, environments)
            run = replace(run, resumed_at_steps=(*state.resumed_at_steps, model.num_timesteps))
        model.set_random_seed(scenario_seed(run.seed, model.num_timesteps))
        _learn(run, model, is_new=state is None)
    finally:
        environments.close()
    return model


def _learn(run: Run, model: BaseAlgorithm, *, is_new: bool) -> None:
    (run.folder / VALIDATION).unlink(missing_ok=True)
    model.learn(
        run.steps - model.num_timesteps,
        callback=Progress(run, save),
        reset_num_timesteps=is_new,
        tb_log_name=f"seed-{run.seed}",
    )
    save(run, model)


def save(run: Run, model: BaseAlgorithm) -> None:
    """A checkpoint. Files are renamed into place, the state last: a kill leaves the one before.

    Where that was of a longer training, a kill leaves none: the model of one begun anew must not pass for trained.
    """
    run.forget_longer(model.num_timesteps)
    _replace(run.folder / MODEL, model.save)
    if isinstance(model, OffPolicyAlgorithm):
        _replace(run.folder / REPLAY, model.save_replay_buffer)
    state = State(
        seed=run.seed,
        steps=run.steps,
        steps_done=model.num_timesteps,
        commit=run.commit,
        resumed_at_steps=run.resumed_at_steps,
        terms=terms(run.recipe),
    )
    _replace(run.folder / STATE, lambda file: file.write_text(state.as_json(), encoding="utf-8"))


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
            raise DamagedRunError(run.damage(REPLAY)) from error
    return model


def _model_file(run: Run) -> Path:
    """The checkpoint, if its archive is whole: what fails in loading it then is no damage."""
    file = run.folder / MODEL
    try:
        with ZipFile(file) as archive:
            is_whole = archive.testzip() is None and set(archive.namelist()) >= MODEL_MEMBERS
    except (FileNotFoundError, BadZipFile) as error:
        raise DamagedRunError(run.damage(MODEL)) from error
    if not is_whole:
        raise DamagedRunError(run.damage(MODEL))
    return file


def _replace(file: Path, write: Callable[[Path], object]) -> None:
    """SB3 adds endings of its own to names that have none of them, so the new file's name ends as the old one's."""
    new = file.with_name(f"new-{file.name}")
    write(new)
    os.replace(new, file)


def scenario_seed(seed: int, steps_done: int) -> int:
    """Of all that is drawn from here on; far from those of other trainings, and of the same before a resumption.

    Stable-Baselines3 counts on from it for the environments, and seeds them with the model's own whenever it makes or
    loads one: this has to come after.
    """
    return (1_000_003 * seed + steps_done) % 2**32


def _environments(run: Run) -> VecEnv:

    def make() -> Monitor[Any, Any]:
        return Monitor(CongestionEnv(run.recipe), info_keywords=("utilisation", "queueing_delay_s"))

    if run.uses_processes:
        make().reset()  # a process could not say in a sentence what it lacks
    makers = [make] * run.recipe.environments
    return SubprocVecEnv(makers) if run.uses_processes else DummyVecEnv(makers)
