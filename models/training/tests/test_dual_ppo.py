"""Dual-PPO's loss and entropy weight by hand; with the lower clip at infinity it is PPO."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium import spaces
from stable_baselines3 import PPO
from stable_baselines3.common.logger import Logger

from models.training.dual_ppo import DualPPO, held_log_prob, next_entropy_weight

PARAMETERS: dict[str, Any] = {"n_steps": 64, "batch_size": 32, "n_epochs": 3, "seed": 3, "device": "cpu"}


class Guess(gymnasium.Env[np.ndarray, int]):
    """The action that is the sign of what is seen pays 1."""

    observation_space = spaces.Box(-1.0, 1.0, (1,), np.float32)
    action_space = spaces.Discrete(2)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self.seen = self.np_random.uniform(-1, 1, 1).astype(np.float32)
        return self.seen, {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        reward = float((self.seen[0] > 0) == bool(action))
        return self.reset()[0], reward, False, False, {}


def test_ratios_are_held_where_the_advantage_is_negative() -> None:
    ratios, advantages = torch.tensor([5.0, 5.0, 2.0, 0.1]), torch.tensor([-1.0, 1.0, -1.0, -1.0])
    old = torch.tensor([-1.0, -2.0, -0.5, -3.0])
    held = held_log_prob(old + torch.log(ratios), old, advantages, 3.0)
    assert torch.exp(held - old).tolist() == pytest.approx([3.0, 5.0, 2.0, 0.1])
    assert torch.equal(held_log_prob(old, old - 9, -advantages.abs(), math.inf), old)


@pytest.mark.parametrize(
    ("dual_clip", "expected"),
    # Ratios 5 and 0.5 with advantages -2 and 1: min(5 * -2, 1.2 * -2) = -10, held to 3 * -2 = -6; min(0.5, 0.8) = 0.5.
    [(3.0, -(-6 + 0.5) / 2), (math.inf, -(-10 + 0.5) / 2)],
)
def test_the_loss_of_two_steps(dual_clip: float, expected: float) -> None:
    model = DualPPO(
        "MlpPolicy", Guess(), dual_clip=dual_clip, normalize_advantage=False, clip_range=0.2, n_epochs=1,
        n_steps=2, batch_size=2, seed=1, device="cpu",
    )  # fmt: skip
    model.set_logger(Logger(folder=None, output_formats=[]))
    buffer = model.rollout_buffer
    observations = np.zeros((1, 1), np.float32)
    log_probs = model.policy.evaluate_actions(torch.zeros(2, 1), torch.tensor([0, 1]))[1].detach()
    for action, ratio in ((0, 5.0), (1, 0.5)):
        buffer.add(
            observations,
            np.array([[action]]),
            np.zeros(1),
            np.zeros(1),
            torch.zeros(1),
            log_probs[action : action + 1] - math.log(ratio),
        )
    buffer.advantages[:] = [[-2.0], [1.0]]
    model.train()
    assert model.logger.name_to_value["train/policy_gradient_loss"] == pytest.approx(expected, rel=1e-5)


def test_a_held_ratio_has_no_gradient() -> None:
    log_prob = torch.tensor([math.log(5.0), math.log(2.0)], requires_grad=True)
    held_log_prob(log_prob, torch.zeros(2), torch.tensor([-1.0, -1.0]), 3.0).sum().backward()
    assert log_prob.grad is not None
    assert log_prob.grad.tolist() == [0.0, 1.0]


def test_with_the_lower_clip_at_infinity_it_is_ppo() -> None:
    dual = DualPPO("MlpPolicy", Guess(), dual_clip=math.inf, **PARAMETERS).learn(256)
    plain = PPO("MlpPolicy", Guess(), **PARAMETERS).learn(256)
    for mine, its in zip(dual.policy.parameters(), plain.policy.parameters(), strict=True):
        assert torch.equal(mine, its)
    assert "evaluate_actions" not in vars(dual.policy)
    assert "get" not in vars(dual.rollout_buffer)


@pytest.mark.parametrize(("excess", "expected"), [(1.0, 0.015), (-0.2, 0.021), (9.0, 0.0)])
def test_the_entropy_weight_falls_while_entropy_is_above_its_target(excess: float, expected: float) -> None:
    assert next_entropy_weight(0.02, excess, rate=0.005) == pytest.approx(expected)


def test_an_update_moves_the_entropy_weight() -> None:
    model = DualPPO("MlpPolicy", Guess(), ent_coef=0.02, target_entropy=0.1, entropy_rate=0.005, **PARAMETERS)
    model.learn(64)
    # The policy of two actions begins undecided, at log 2 nats.
    assert model.ent_coef == pytest.approx(0.02 - 0.005 * (math.log(2) - 0.1), rel=0.02)
