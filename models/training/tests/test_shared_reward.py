"""Which steps of a rollout share which episode's reward, by hand and in a training."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.vec_env import DummyVecEnv

from models.training.dual_ppo import DualPPO, share

BOX = spaces.Box(-1.0, 1.0, (1,), np.float32)


def test_each_step_gets_what_its_episode_brought() -> None:
    buffer = RolloutBuffer(6, BOX, spaces.Discrete(2), device="cpu", n_envs=2)
    buffer.rewards[:] = 1.0
    # The first environment: three steps worth 10, two worth 20, the last of an episode that nothing is known of.
    # The second: all six of one episode.
    share(buffer, [(0, 2, 10.0), (0, 4, 20.0), (1, 5, 7.0)])
    assert buffer.rewards[:, 0].tolist() == [11.0, 11.0, 11.0, 21.0, 21.0, 1.0]
    assert buffer.rewards[:, 1].tolist() == [8.0] * 6


class Counting(gymnasium.Env[np.ndarray, int]):
    """Episodes of `length` steps, each worth 1, and `length` shared; 0.5 a step so far."""

    observation_space = BOX
    action_space = spaces.Discrete(2)

    def __init__(self, length: int) -> None:
        self.length = length
        self.steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        self.steps = 0
        return np.zeros(1, np.float32), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        self.steps += 1
        is_over = self.steps == self.length
        info = {"episode_reward": float(self.length)} if is_over else {}
        return np.zeros(1, np.float32), 1.0, is_over, False, info

    def episode_reward(self) -> float:
        return 0.5 * self.steps


def test_rollouts_are_rewritten_before_they_are_learnt_from() -> None:
    learnt: list[np.ndarray] = []

    class Recording(DualPPO):
        def train(self) -> None:
            learnt.append(self.rollout_buffer.rewards.copy())
            advantages = self.rollout_buffer.advantages
            assert advantages[-1] == pytest.approx(expected_last(self))
            super().train()

    def expected_last(model: Recording) -> np.ndarray:
        """gae_lambda and the bootstrap leave the last step's reward, its value, and what comes after."""
        buffer = model.rollout_buffer
        following = model.policy.predict_values(model.policy.obs_to_tensor(model._last_obs)[0])
        alive = 1.0 - model._last_episode_starts
        afterwards = model.gamma * following.detach().numpy().ravel() * alive
        return np.asarray(buffer.rewards[-1] - buffer.values[-1] + afterwards)

    environments = DummyVecEnv([lambda: Counting(3), lambda: Counting(7)])
    Recording("MlpPolicy", environments, n_steps=4, batch_size=8, n_epochs=1, seed=1, device="cpu").learn(16)
    # Length 3: an episode, and a step of the next, worth 0.5 so far; then its other two, and two of one worth 1 so far.
    assert learnt[0][:, 0].tolist() == [4.0, 4.0, 4.0, 1.5]
    assert learnt[1][:, 0].tolist() == [4.0, 4.0, 2.0, 2.0]
    # Length 7: four steps, worth 2 so far; then the other three, and one of the next.
    assert learnt[0][:, 1].tolist() == [3.0] * 4
    assert learnt[1][:, 1].tolist() == [8.0, 8.0, 8.0, 1.5]
