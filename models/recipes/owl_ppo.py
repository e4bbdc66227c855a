"""Owl's scheme, reward and links, with a policy that PPO trains and that sees what changed."""

from __future__ import annotations

from dataclasses import replace

from cc.sender.owl import FEATURES
from models.recipes.owl import EQ_4_NOTES, OWL
from models.recipes.recipe import ClassByName, Falling

CWND, IN_FLIGHT = (
    next(index for index, feature in enumerate(FEATURES) if feature.name == name) for name in ("cwnd", "in_flight")
)

OWL_PPO = replace(
    OWL,
    name="owl-ppo",
    algorithm="ppo",
    parameters={
        "learning_rate": Falling(5e-4),
        "n_steps": 512,
        "batch_size": 512,
        "n_epochs": 5,
        "gamma": 0.99,
        "gae_lambda": 0.99,
        "clip_range": 0.2,
        "ent_coef": 0.002,
        "policy_kwargs": {
            "features_extractor_class": ClassByName("models.training.contrasts:Contrasts"),
            "features_extractor_kwargs": {"pairs": ((CWND, IN_FLIGHT),), "has_trends": True},
        },
    },
    hidden=(64, 64),
    activation="tanh",
    steps=2_400_000,
    environments=8,
    notes=(
        "Not the paper's training: PPO in place of DQN, two layers of 64 (tanh) in place of 512 and 256, and a first "
        "layer that adds what the state says between the lines: each feature's change from decision to decision, and "
        "the window over what is in flight, enlarged.",
        *EQ_4_NOTES,
    ),
)
