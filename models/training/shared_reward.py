"""Rewards that are known at an episode's end and shared by all its decisions (ZiXia, section III.C, eq. 5)."""

from __future__ import annotations

from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback

EPISODE_REWARD = "episode_reward"


class SharedReward(BaseCallback):
    """Adds each episode's reward to those of its steps in a rollout, before an on-policy algorithm learns from it.

    An episode that goes on beyond the rollout shares what its reward would be by now; later steps get the final one.
    Environments without such a reward are left as they are.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ends: list[tuple[int, int, float]] = []
        """(environment, step of the rollout, reward of the episode that ends with it)"""

    def _on_rollout_start(self) -> None:
        self._ends.clear()

    def _on_step(self) -> bool:
        step = self.locals["rollout_buffer"].pos
        for index, (info, is_done) in enumerate(zip(self.locals["infos"], self.locals["dones"], strict=True)):
            if is_done and EPISODE_REWARD in info:
                self._ends.append((index, step, info[EPISODE_REWARD]))
        return True

    def _on_rollout_end(self) -> None:
        buffer: RolloutBuffer = self.locals["rollout_buffer"]
        dones = self.locals["dones"]
        going_on = [index for index, is_done in enumerate(dones) if not is_done]
        if going_on and self.training_env.has_attr(EPISODE_REWARD):
            for index, so_far in zip(
                going_on, self.training_env.env_method(EPISODE_REWARD, indices=going_on), strict=True
            ):
                if so_far is not None:
                    self._ends.append((index, buffer.buffer_size - 1, so_far))
        if self._ends:
            share(buffer, self._ends)
            buffer.compute_returns_and_advantage(last_values=self.locals["values"], dones=dones)


def share(buffer: RolloutBuffer, ends: list[tuple[int, int, float]]) -> None:
    """Add each reward to the steps up to its end, from the end before in the same environment (or the first step)."""
    first_steps = [0] * buffer.n_envs
    for index, last_step, reward in ends:
        buffer.rewards[first_steps[index] : last_step + 1, index] += reward
        first_steps[index] = last_step + 1
