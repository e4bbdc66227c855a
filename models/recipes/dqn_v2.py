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
        "else it sees. That costs it the smallest rate of `npm run bench -- dqn-queues`.",
        "Tried for that, by rules in place of its answers: to stand from 1.3 thresholds on carries 9.93 Mbit/s where "
        "CUBIC has 9.78 (10 Mbit/s, 40 ms of queue), 9.87 where it has 9.25 (20 ms), 19.79 where it has 19.56 and "
        "19.61 where it has 18.40 (20 Mbit/s).",
        "But it carries 1.15 where CUBIC has 2.53 (3 Mbit/s, 20 ms, which are 5 packets). It earns 0.755 over the "
        "validation scenarios, by which a policy is chosen, where this one has 0.859 and CUBIC 0.789: their rates "
        "rise, which a standing window leaves unused.",
        "To stand from 1.38 thresholds on earns 0.798, to grow by one segment from 1.2 on 0.838.",
        "Tried by training: discounts of 0.98 (0.763 in validation, where 0.95 had 0.825) and 0.985 (47.3 of 50 "
        "Mbit/s and 89.6 of 100 alone), rates up to 120 Mbit/s with the fair share for reward (this policy), and "
        "three more seeds, a little behind.",
        "Not tried: practice on queues below half a bandwidth-delay product alone, and whether the state could tell "
        "such links apart.",
    ),
)
