"""DQN v2: v1 without the throughput, and with dropout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.recipes.dqn import (
    ACTIVATION,
    CUBIC,
    HIDDEN,
    NOTES,
    PAPER_SETTING,
    PARAMETERS,
    REWARD_TEXT,
    SCENARIOS,
    SOURCE,
    STEPS,
    online_value,
    reward,
)
from models.recipes.recipe import ClassByName, Recipe
from models.scenarios.rival import by_policy

POLICY: Mapping[str, Any] = {
    **PARAMETERS["policy_kwargs"],
    "activation_fn": ClassByName("models.training.relu_with_dropout:ReluWithDropout"),
}

DQN_V2 = Recipe(
    name="dqn-v2",
    source=SOURCE,
    algorithm="dqn",
    parameters={**PARAMETERS, "policy_kwargs": POLICY},
    hidden=HIDDEN,
    activation=ACTIVATION,
    steps=STEPS,
    reward=reward,
    online_value=online_value,
    reward_text=REWARD_TEXT,
    scenarios=SCENARIOS,
    rivals=(CUBIC, by_policy("dqn-v1")),
    to_beat=("cubic", "dqn-v1"),
    paper_setting=PAPER_SETTING,
    notes=(*NOTES, "The paper tells not how much dropout: one in twenty, behind each hidden layer, in training alone."),
)
