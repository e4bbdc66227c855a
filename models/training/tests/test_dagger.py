"""DAgger: the labels are the oracle's, chunks are cut where the rollout says, and the policy comes to agree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from stable_baselines3.common.vec_env import DummyVecEnv

from cc.links.link import OPPORTUNITY_BYTES
from models.recipes.indigo import GAIN, INDIGO, bandwidth_delay_packets, expert
from models.scenarios.episode import Contender, Episode
from models.scenarios.scenario import Scenario, ScenarioDistribution
from models.training.algorithms import make_model
from models.training.dagger import Dagger
from models.training.environment import EXPERT, CongestionEnv

SCENARIO = Scenario("12mbit", base_rtt_s=0.040, queue_packets=100, duration_s=2.0)
CHUNK, STEPS = 8, 32


def test_the_oracle_wants_the_product_of_rate_and_round_trip() -> None:
    episode = Episode(SCENARIO, Contender(INDIGO.scheme))
    wanted = bandwidth_delay_packets(episode)
    assert wanted == pytest.approx(GAIN * 12e6 / 8 * 0.040 / OPPORTUNITY_BYTES, rel=0.02)  # 60 packets of 40


def test_the_expert_takes_the_action_that_comes_nearest() -> None:
    episode = Episode(SCENARIO, Contender(INDIGO.scheme))
    assert episode.next_request(2.0) is not None
    assert episode.flow.sender.scheme.cwnd_bytes < 20 * 1200
    assert expert(episode) == 4  # doubles: 60 are wanted
    env = CongestionEnv(INDIGO)
    env.reset(seed=1, options={"scenario": SCENARIO})
    assert env.step(2)[-1][EXPERT] == 4


def make_dagger(*, updates: int, memory: int = 4000) -> Dagger:
    torch.set_num_threads(1)
    recipe = replace(INDIGO, scenarios=ScenarioDistribution(duration_s=2.0, traces=("6mbit",)), environments=2)
    sizes = {"n_steps": STEPS, "chunk": CHUNK, "chunks": 4, "updates": updates, "memory": memory}
    recipe = recipe.with_parameters({"learning_rate": 0.01, **sizes})
    model = make_model(recipe, DummyVecEnv([lambda: CongestionEnv(recipe)] * 2), seed=1)
    assert isinstance(model, Dagger)
    return model


def test_a_rollout_is_cut_into_chunks_with_their_labels() -> None:
    model = make_dagger(updates=1)
    model.learn(2 * STEPS)
    chunks = list(model._played)
    assert len(chunks) == 2 * STEPS // CHUNK
    observations = torch.stack([each.observations for each in chunks[::2]]).reshape(STEPS, -1)
    assert torch.equal(observations, torch.as_tensor(model.rollout_buffer.observations.reshape(STEPS, 2, -1)[:, 0]))
    assert all(each.labels.min() >= 0 and each.labels.max() <= 4 for each in chunks)
    assert not any(torch.any(each.hidden) for each in chunks[:2])  # nothing to remember at the beginning
    assert all(torch.any(each.hidden) for each in chunks[2:])


def test_what_is_kept_is_bounded_after_a_resumption_as_before(tmp_path: Path) -> None:
    model = make_dagger(updates=1, memory=3)
    model.learn(2 * STEPS)
    model.save(tmp_path / "checkpoint.zip")
    resumed = Dagger.load(tmp_path / "checkpoint.zip", env=model.get_env(), device="cpu")
    resumed.learn(2 * STEPS)
    assert (len(model._played), len(resumed._played)) == (3, 3)


def test_it_comes_to_agree_with_what_it_is_told() -> None:
    model = make_dagger(updates=1)
    model.learn(2 * STEPS)
    chunks = list(model._played)[:4]
    losses = [model._update(chunks)[0] for _ in range(25)]
    assert np.mean(losses[-5:]) < 0.8 * losses[0]
