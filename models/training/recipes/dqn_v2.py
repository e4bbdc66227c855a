"""DQN v2: v1 without the throughput, and with dropout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import nn

from models.training.recipe import Recipe
from models.training.recipes.dqn import (
    ACTIVATION,
    HIDDEN,
    NOTES,
    PAPER_SETTING,
    PARAMETERS,
    REWARD_TEXT,
    SCENARIOS,
    SOURCE,
    STEPS,
    reward,
)

DROPOUT = 0.05


class ReluWithDropout(nn.Sequential):
    """What follows each hidden layer (section III.A); where nothing is trained it is ReLU alone."""

    def __init__(self) -> None:
        super().__init__(nn.ReLU(), nn.Dropout(DROPOUT))


POLICY: Mapping[str, Any] = {**PARAMETERS["policy_kwargs"], "activation_fn": ReluWithDropout}

DQN_V2 = Recipe(
    name="dqn-v2",
    scheme_name="dqn-v2",
    source=SOURCE,
    algorithm="dqn",
    parameters={**PARAMETERS, "policy_kwargs": POLICY},
    hidden=HIDDEN,
    activation=ACTIVATION,
    steps=STEPS,
    reward=reward,
    reward_text=REWARD_TEXT,
    scenarios=SCENARIOS,
    rival="cubic",
    paper_setting=PAPER_SETTING,
    notes=(*NOTES, "The paper tells not how much dropout: one in twenty, behind each hidden layer, in training alone."),
)
