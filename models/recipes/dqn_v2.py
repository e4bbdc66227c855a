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
    notes=(
        *NOTES,
        "The paper tells not how much dropout: one in twenty, behind each hidden layer, in training alone.",
        "With thresholds up to 180 packets (links up to some 15 Mbit/s with 100 ms) it grows by two segments whatever "
        "else it sees. Made to stand from 1.3 thresholds on, it carries more than CUBIC on constant links of 10 and "
        "20 Mbit/s with 20 and 40 ms of queue, and less than CUBIC over the validation scenarios, by which it is "
        "chosen: their rates rise, which a standing window leaves unused. Whether the state could tell such links "
        "apart was not tried. With 5 packets of queue at 3 Mbit/s it also stood far too low. To stand only from 1.38 "
        "thresholds on, or to grow by one from 1.2 on, is between the two. These rules were played in place of "
        "training anew.",
    ),
)
