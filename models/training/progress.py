"""What is seen of a training while it goes on: a bar, checkpoints, and what the episodes achieved."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
from stable_baselines3.common.type_aliases import TrainFreq, TrainFrequencyUnit
from tqdm import tqdm

from models.training.run import Run

CHECKPOINTS = 20  # in a whole training


def steps_at_end(model: BaseAlgorithm, steps: int) -> int:
    """What a training for `steps` decisions will have done, in whole rollouts from where the model is."""
    done: int = model.num_timesteps
    rollout = _rollout(model)
    return done + math.ceil((steps - done) / rollout) * rollout


def _rollout(model: BaseAlgorithm) -> int:
    """Decisions between two looks at whether the end is reached; 1 where they are whole episodes, of any length."""
    each = 1
    if isinstance(model, OnPolicyAlgorithm):
        each = model.n_steps * model.n_envs
    if isinstance(model, OffPolicyAlgorithm):
        assert isinstance(model.train_freq, TrainFreq)
        if model.train_freq.unit is TrainFrequencyUnit.STEP:
            each = model.train_freq.frequency * model.n_envs
    return each


class Progress(BaseCallback):
    """Saves by `save`, and draws."""

    def __init__(self, run: Run, save: Callable[[Run, BaseAlgorithm], None]) -> None:
        super().__init__()
        self._run = run
        self._save = save
        self._every = max(1, run.steps // CHECKPOINTS)
        self._saved = 0
        self._bar: tqdm[Any] | None = None

    def _on_training_start(self) -> None:
        self._saved = self.num_timesteps
        self._bar = tqdm(
            total=steps_at_end(self.model, self._run.steps),
            initial=self.num_timesteps,
            desc=f"{self._run.recipe.name} seed {self._run.seed}",
            unit="step",
            mininterval=0.5 if sys.stderr.isatty() else 20,
        )

    def _on_rollout_start(self) -> None:
        """What was played is learned from by now: a checkpoint has no decisions that taught nothing."""
        if self.num_timesteps - self._saved >= self._every:
            self._saved = self.num_timesteps
            self._save(self._run, self.model)

    def _on_step(self) -> bool:
        assert self._bar is not None
        self._bar.update(self.num_timesteps - self._bar.n)
        for info in self.locals["infos"]:
            if "episode" in info:
                self._note(info["episode"])
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
