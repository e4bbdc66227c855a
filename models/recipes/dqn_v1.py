"""DQN v1: a network of ReLUs alone."""

from __future__ import annotations

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
from models.recipes.recipe import Recipe

DQN_V1 = Recipe(
    name="dqn-v1",
    source=f"{SOURCE}, its [6]",
    algorithm="dqn",
    parameters=PARAMETERS,
    hidden=HIDDEN,
    activation=ACTIVATION,
    steps=STEPS,
    reward=reward,
    online_value=online_value,
    reward_text=REWARD_TEXT,
    scenarios=SCENARIOS,
    rivals=(CUBIC,),
    to_beat=("cubic",),
    paper_setting=PAPER_SETTING,
    notes=(
        *NOTES,
        "Of v1 the paper tells the state, the activation and what it has in common with v2; its own paper was not at "
        "hand, so the state machine is v2's.",
    ),
)
