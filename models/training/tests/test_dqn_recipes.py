"""The recipes of DQN v1 and v2: rewards, links, the first layer, and dropout that stays out of the exported graph."""

from __future__ import annotations

import random
from dataclasses import replace
from math import log
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from gymnasium import spaces
from stable_baselines3.common.vec_env import DummyVecEnv

from cc.registry import scheme
from models.recipes.dqn_v1 import DQN_V1, EPSILON, PRACTISED_MBIT_PER_S, SCENARIOS, reward
from models.recipes.dqn_v2 import DQN_V2
from models.recipes.recipe import Recipe
from models.scenarios.constant_rates import ALONE_MBIT_PER_S, SHARED_MBIT_PER_S
from models.scenarios.episode import Contender, Episode, Outcome
from models.scenarios.scenario import Scenario
from models.scenarios.splits import split_traces
from models.training.algorithms import make_model
from models.training.contrasts import Contrasts
from models.training.environment import CongestionEnv
from models.training.export import export
from models.training.relu_with_dropout import DROPOUT

CLEAN = Scenario("12mbit", base_rtt_s=0.040, queue_packets=20, duration_s=8.0)
each_recipe = pytest.mark.parametrize("chosen", [DQN_V1, DQN_V2], ids=lambda chosen: chosen.name)


def untrained(chosen: Recipe) -> object:
    environments = DummyVecEnv([lambda: CongestionEnv(chosen)])
    return make_model(chosen.with_parameters({"buffer_size": 100}), environments, seed=1)


@each_recipe
def test_epsilon_is_the_papers_from_beginning_to_end(chosen: Recipe) -> None:
    assert (
        chosen.parameters["exploration_initial_eps"] == chosen.parameters["exploration_final_eps"] == EPSILON == 0.015
    )


def test_practises_on_constant_rates_and_is_judged_on_all_there_is() -> None:
    rng = random.Random(5)
    practised = {f"{mbit_per_s}mbit" for mbit_per_s in PRACTISED_MBIT_PER_S}
    assert {SCENARIOS.draw("training", rng).trace for _ in range(150)} == practised
    assert not practised & {f"{mbit_per_s}mbit" for mbit_per_s in (*ALONE_MBIT_PER_S, SHARED_MBIT_PER_S)}
    assert not practised & {*split_traces("validation"), *split_traces("test")}
    assert "lte-like" in {scenario.trace for scenario in SCENARIOS.fixed("test", seed=1)}


def outcome_of(utilisation: float, *rivals: str) -> Outcome:
    """Of a made-up interval."""
    scenario = replace(CLEAN, rivals=rivals)
    return cast("Outcome", SimpleNamespace(utilisation=utilisation, episode=SimpleNamespace(scenario=scenario)))


@pytest.mark.parametrize(
    ("utilisation", "rivals", "expected"),
    [(0.8, (), 0.8), (1.0, (), 1.0), (0.4, ("cubic",), 0.8), (0.5, ("cubic",), 1.0), (0.75, ("cubic",), 1.0)],
)
def test_more_than_the_fair_share_earns_nothing(utilisation: float, rivals: tuple[str, ...], expected: float) -> None:
    assert reward(outcome_of(utilisation, *rivals)) == pytest.approx(expected)


def test_evaluations_are_rewarded_by_the_links_truth_whatever_the_scheme() -> None:
    for name in ("dqn-v2", "cubic"):
        outcome = Episode(CLEAN, Contender(scheme(name))).run_until(5.0)
        assert reward(outcome) == outcome.utilisation


def test_the_first_layer_adds_how_far_the_window_is_from_the_threshold() -> None:
    space = spaces.Box(np.array([2e3, 2e3, 1e-3], np.float32), np.array([2e7, 2e7, 4.0], np.float32))
    layer = Contrasts(space, is_logarithmic=[True, True, True], pairs=((1, 0),))
    assert layer.features_dim == 4
    threshold, window, rtt, ratio = layer(torch.tensor([[70_000.0, 100_000.0, 0.1]]))[0].tolist()
    assert threshold == pytest.approx(2 * log(35) / log(1e4) - 1, abs=1e-5)
    assert window == pytest.approx(2 * log(50) / log(1e4) - 1, abs=1e-5)
    assert rtt == pytest.approx(2 * log(100) / log(4000) - 1, abs=1e-5)
    assert ratio == pytest.approx(10 * 2 * log(1 / 0.7) / log(1e4), abs=1e-4)


def test_dropout_is_in_training_and_nowhere_in_the_exported_graph(tmp_path: Path) -> None:
    model = untrained(DQN_V2)
    dropouts = [each for each in model.policy.q_net.modules() if isinstance(each, torch.nn.Dropout)]  # type: ignore[attr-defined]
    assert [each.p for each in dropouts] == [DROPOUT, DROPOUT]
    observation = torch.tensor([[70_000.0, 100_000.0, 0.1]])
    model.policy.set_training_mode(True)  # type: ignore[attr-defined]
    assert len({tuple(model.policy.q_net(observation)[0].tolist()) for _ in range(20)}) > 1  # type: ignore[attr-defined]
    file = tmp_path / "dqn-v2.onnx"
    export(model, DQN_V2, file)  # type: ignore[arg-type]
    graph = onnx.load(file).graph
    assert not {"Dropout", "RandomUniform", "RandomUniformLike", "Bernoulli"} & {node.op_type for node in graph.node}
    session = onnxruntime.InferenceSession(file.read_bytes(), providers=["CPUExecutionProvider"])
    answers = [session.run(None, {"observation": observation.numpy()})[0] for _ in range(5)]
    assert all((answer == answers[0]).all() for answer in answers)
    model.policy.set_training_mode(False)  # type: ignore[attr-defined]
    assert answers[0] == pytest.approx(model.policy.q_net(observation).detach().numpy(), abs=1e-5)  # type: ignore[attr-defined]
