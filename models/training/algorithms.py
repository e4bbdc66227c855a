"""The algorithms that recipes may name, and how a model of each is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from sb3_contrib import RecurrentPPO
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.vec_env import VecEnv

from models.recipes.recipe import ClassByName, Recipe
from models.training.dagger import Dagger
from models.training.dual_ppo import DualPPO
from models.training.normaliser import RangeNormaliser

ACTIVATIONS = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A class of Stable-Baselines3's kind."""

    make: type[BaseAlgorithm]
    policy: str = "MlpPolicy"
    is_recurrent: bool = False


ALGORITHMS: Mapping[str, Algorithm] = {
    "ppo": Algorithm(PPO),
    "dual-ppo": Algorithm(DualPPO),
    "recurrent-ppo": Algorithm(RecurrentPPO, policy="MlpLstmPolicy", is_recurrent=True),
    "dagger": Algorithm(Dagger, policy="MlpLstmPolicy", is_recurrent=True),
    "a2c": Algorithm(A2C),
    "dqn": Algorithm(DQN),
}


class UnknownAlgorithmError(ValueError):
    """No algorithm has this name; the message lists those that have one."""


def algorithm(name: str) -> Algorithm:
    """The algorithm of this name. Raises UnknownAlgorithmError."""
    if name not in ALGORITHMS:
        raise UnknownAlgorithmError(f"algorithm {name!r} is unknown; known algorithms: {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]


def make_model(recipe: Recipe, environments: VecEnv, *, seed: int, log_folder: str | None = None) -> BaseAlgorithm:
    """Untrained."""
    chosen = algorithm(recipe.algorithm)
    parameters = dict(recipe.parameters)
    own = dict(parameters.pop("policy_kwargs", {}))
    extractor_kwargs = own.pop("features_extractor_kwargs", {})
    policy_kwargs = {
        "net_arch": list(recipe.hidden),
        "activation_fn": ACTIVATIONS[recipe.activation],
        "features_extractor_class": RangeNormaliser,
        "features_extractor_kwargs": {
            "is_logarithmic": [feature.is_logarithmic for feature in recipe.space.features],
            **extractor_kwargs,
        },
        **({} if recipe.lstm_units is None else {"lstm_hidden_size": recipe.lstm_units}),
        **{name: value.resolve() if isinstance(value, ClassByName) else value for name, value in own.items()},
    }
    return chosen.make(
        chosen.policy,
        environments,
        policy_kwargs=policy_kwargs,
        seed=seed,
        device="cpu",
        tensorboard_log=log_folder,
        **parameters,
    )
