"""Dual-PPO: PPO with a second clip for negative advantages, and an entropy weight that adapts itself.

Sources: ZiXia, section III.C. Its reference for the clip is Ye et al.: Mastering Complex Control in MOBA Games with
Deep Reinforcement Learning, AAAI 2020, eq. 5: where the advantage A is negative, the objective is no less than c A.
That is PPO with probability ratios held to at most c there, which is how it is done here, without a second copy of
PPO's update.

Adaptive entropy weight decay (reference 11 there) is not spelt out. As in that group's Pensieve-PPO the weight moves
against the difference between the policy's entropy and a target, here once an update and never below 0.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback, CallbackList, ConvertCallback
from stable_baselines3.common.type_aliases import MaybeCallback, RolloutBufferSamples

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


class DualPPO(PPO):
    """`dual_clip`: c, above 1 + the clip range; infinite for plain PPO. `target_entropy` in nats."""

    ent_coef: float

    def __init__(
        self,
        *args: Any,  # noqa: ANN401
        dual_clip: float = 3.0,
        target_entropy: float = 0.1,
        entropy_rate: float = 0.0,
        **kwargs: Any,  # noqa: ANN401
    ) -> None:
        """`entropy_rate`: what one nat above the target takes off the weight in an update; else as PPO."""
        self.dual_clip = dual_clip
        self.target_entropy = target_entropy
        self.entropy_rate = entropy_rate
        super().__init__(*args, **kwargs)

    def learn(self, total_timesteps: int, callback: MaybeCallback = None, **kwargs: Any) -> DualPPO:  # noqa: ANN401
        """Rewards of whole episodes are shared."""
        given = callback if isinstance(callback, list) else [] if callback is None else [callback]
        each = [one if isinstance(one, BaseCallback) else ConvertCallback(one) for one in given]
        super().learn(total_timesteps, callback=CallbackList([*each, SharedReward()]), **kwargs)
        return self

    def train(self) -> None:
        """PPO's update with the ratios that it sees held to at most c where advantages are negative."""
        buffer, policy = self.rollout_buffer, self.policy
        draw, evaluate = buffer.get, policy.evaluate_actions
        batch: RolloutBufferSamples

        def get(batch_size: int | None = None) -> Generator[RolloutBufferSamples, None, None]:
            nonlocal batch
            for samples in draw(batch_size):
                batch = samples
                yield samples

        def evaluate_actions(observations: torch.Tensor, actions: torch.Tensor) -> tuple[Any, torch.Tensor, Any]:
            values, log_prob, entropy = evaluate(observations, actions)
            advantages = batch.advantages
            if self.normalize_advantage and len(advantages) > 1:
                advantages = advantages - advantages.mean()  # PPO's signs
            return values, held_log_prob(log_prob, batch.old_log_prob, advantages, self.dual_clip), entropy

        buffer.get = get  # type: ignore[method-assign]
        policy.evaluate_actions = evaluate_actions  # type: ignore[method-assign]
        try:
            super().train()
        finally:
            del buffer.get, policy.evaluate_actions  # type: ignore[misc]
        self.logger.record("train/entropy_weight", self.ent_coef)
        entropy = -float(self.logger.name_to_value["train/entropy_loss"])
        self.ent_coef = next_entropy_weight(self.ent_coef, entropy - self.target_entropy, rate=self.entropy_rate)


def held_log_prob(
    log_prob: torch.Tensor, old_log_prob: torch.Tensor, advantages: torch.Tensor, dual_clip: float
) -> torch.Tensor:
    """Of actions under the new policy, so that the ratio to the old one is at most c where advantages are negative."""
    held = torch.minimum(log_prob, old_log_prob + math.log(dual_clip))
    return torch.where(advantages < 0, held, log_prob)


def next_entropy_weight(weight: float, excess_nats: float, *, rate: float) -> float:
    """Adaptive entropy weight decay: less of it while the entropy exceeds its target, more below."""
    return max(0.0, weight - rate * excess_nats)
