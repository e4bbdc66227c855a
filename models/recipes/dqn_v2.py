"""DQN v2: v1 without the throughput, and with dropout."""

from __future__ import annotations

from dataclasses import replace

from models.recipes.dqn_v1 import DQN_V1, NOTES, SOURCE
from models.recipes.recipe import ClassByName
from models.scenarios.rival import by_policy

DQN_V2 = replace(
    DQN_V1,
    name="dqn-v2",
    source=SOURCE,
    parameters={
        **DQN_V1.parameters,
        "policy_kwargs": {
            **DQN_V1.parameters["policy_kwargs"],
            "activation_fn": ClassByName("models.training.relu_with_dropout:ReluWithDropout"),
        },
    },
    rivals=(*DQN_V1.rivals, by_policy("dqn-v1")),
    to_beat=("cubic", "dqn-v1"),
    notes=(*NOTES, "The paper tells not how much dropout: one in twenty, behind each hidden layer, in training alone."),
)
