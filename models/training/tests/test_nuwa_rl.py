"""Nuwa-RL's reward by hand, and its answers in training."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from stable_baselines3.common.vec_env import DummyVecEnv

from cc.receiver.nuwa import Nuwa
from cc.receiver.nuwa_rl import FACTORS, NuwaRl
from models.recipes.nuwa_rl import NUWA_RL, alpha_fairness, fixed_k, reward
from models.scenarios.scenario import Scenario
from models.training.algorithms import make_model
from models.training.environment import CongestionEnv
from models.training.export import export

SEED = 1
STAY = 1


@dataclass
class Seen:
    """An outcome of given figures."""

    mbit_per_s: float
    mean_queueing_delay_s: float
    loss_ratio: float
    base_rtt_s: float = 0.03125

    def throughput_bytes_per_s(self) -> float:
        return self.mbit_per_s * 1e6 / 8


def test_eq_12_with_an_alpha_of_0_6() -> None:
    # U(x) = x^0.4 / 0.4: U(1) = 2.5; 0.03125 = 2^-5, so U = 2^-2 / 0.4 = 0.625
    assert alpha_fairness(1.0) == pytest.approx(2.5)
    assert alpha_fairness(0.03125) == pytest.approx(0.625)
    assert alpha_fairness(0.0) == 0.0


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (Seen(1.0, 0.0, 0.0), 0.75),  # 0.4 * 2.5 - 0.4 * 0.625: 1 Mbit/s, 2^-5 s
        (Seen(0.0, 0.0, 0.0), -0.25),
        (Seen(32.0, 1 - 0.03125, 0.0), 3.0),  # 32^0.4 = 4; a round trip of a second
        (Seen(1.0, 0.0, 0.03125), 0.625),  # less 0.2 * 0.625
    ],
)
def test_eq_13(seen: Seen, expected: float) -> None:
    assert reward(seen) == pytest.approx(expected)  # type: ignore[arg-type]


def test_the_rival_to_beat_has_a_k_of_9_throughout() -> None:
    first, preset = NUWA_RL.rivals
    assert (first.name, preset.name) == ("nuwa, k = 9", "nuwa")
    for rival, k in ((first, 9.0), (preset, 7.0), (fixed_k(2.5), 2.5)):
        receiver = rival.make().plan(rng=random.Random(SEED)).receiver
        assert isinstance(receiver, Nuwa)
        assert receiver.parameters.k == k


def test_every_decision_of_a_receiver_is_answered_in_time() -> None:
    env = CongestionEnv(NUWA_RL)
    env.reset(seed=SEED, options={"scenario": Scenario("lte-like", 0.040, 300, duration_s=5.0)})
    rewards = []
    is_cut = False
    while not is_cut:
        _, value, is_over, is_cut, _ = env.step(np.int64(STAY))
        assert not is_over
        rewards.append(value)
    assert env.episode is not None
    receiver = env.episode.flow.plan.receiver
    assert isinstance(receiver, NuwaRl)
    assert receiver.decisions.decided == len(rewards)
    assert receiver.decisions.late == receiver.decisions.failed == 0
    assert 40 <= len(rewards) <= 50


def test_the_best_fixed_k_earns_nothing_above_itself() -> None:
    env = CongestionEnv(NUWA_RL)
    env.reset(seed=SEED, options={"scenario": Scenario("lte-like", 0.040, 300, duration_s=5.0)})
    rewards = []
    is_cut = False
    while not is_cut:
        _, value, _, is_cut, _ = env.step(np.int64(FACTORS.index(2.85)))  # k = 9 from the first decision on
        rewards.append(value)
    assert abs(fmean(rewards)) < 0.05


def test_the_export_of_a_memory_says_what_the_model_says(tmp_path: Path) -> None:
    environments = DummyVecEnv([lambda: CongestionEnv(NUWA_RL)])
    model = make_model(NUWA_RL, environments, seed=SEED)
    file = tmp_path / "nuwa-rl.onnx"
    export(model, NUWA_RL, file)  # raises where they differ
    assert file.stat().st_size < 200_000
