"""A trained DQN's network from the model that is served, so that it can go on learning."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from stable_baselines3.common.vec_env import DummyVecEnv

from models.policies.policy import PolicyError, load_policy
from models.recipes.recipe import Recipe
from models.training.algorithms import make_model
from models.training.environment import CongestionEnv
from models.training.export import TOLERANCE, ExportedPolicy, largest_difference

PREFIX = "policy.q_net."
SAMPLES = 50


def q_network(recipe: Recipe, folder: Path) -> torch.nn.Module:
    """Observations to the values of actions, as the policy in `folder` has them; of a recipe of DQN's.

    Raises PolicyError for a policy that cannot serve, or is not of the recipe's network.
    """
    load_policy(recipe.name, folder, space=recipe.space)
    file = folder / f"{recipe.name}.onnx"
    # nothing is stored: who learns on has a memory of its own
    environment = DummyVecEnv([lambda: CongestionEnv(recipe)])
    model = make_model(recipe.with_parameters({"buffer_size": 1}), environment, seed=0)
    network: torch.nn.Module = model.policy.q_net
    own = network.state_dict()
    found = _weights(file)
    if any(name not in own or own[name].shape != weight.shape for name, weight in found.items()):
        raise PolicyError(_other_network(recipe, file))
    network.load_state_dict(found, strict=False)  # ranges are no weights, and those that do nothing are left out
    if largest_difference(ExportedPolicy(model, recipe).eval(), recipe, file, samples=SAMPLES) > TOLERANCE:
        raise PolicyError(_other_network(recipe, file))
    return network


def _weights(file: Path) -> dict[str, torch.Tensor]:
    """By their names in the network; the export keeps those."""
    return {
        weight.name.removeprefix(PREFIX): torch.tensor(onnx.numpy_helper.to_array(weight))
        for weight in onnx.load(file).graph.initializer
        if weight.name.startswith(PREFIX)
    }


def _other_network(recipe: Recipe, file: Path) -> str:
    return f"model {file} is of another network than the recipe {recipe.name} has now: train it anew"
