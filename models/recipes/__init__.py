"""Every policy that can be trained: one file and one line each."""

from __future__ import annotations

from cc.command_line.nearest import choice
from models.recipes.aurora import AURORA
from models.recipes.bbr_fit import BBR_FIT
from models.recipes.dqn_v1 import DQN_V1
from models.recipes.dqn_v2 import DQN_V2
from models.recipes.eagle import EAGLE
from models.recipes.hd_tcp import HD_TCP
from models.recipes.indigo import INDIGO
from models.recipes.nuwa_rl import NUWA_RL
from models.recipes.nuwa_rl_goodput import NUWA_RL_GOODPUT
from models.recipes.orca import ORCA
from models.recipes.owl import OWL
from models.recipes.owl_ppo import OWL_PPO
from models.recipes.recipe import Recipe
from models.recipes.zixia import ZIXIA, ZIXIA_DELAY
from models.recipes.zixia_lean import ZIXIA_LEAN

RECIPES: tuple[Recipe, ...] = (
    AURORA,
    BBR_FIT,
    DQN_V1,
    DQN_V2,
    EAGLE,
    HD_TCP,
    INDIGO,
    NUWA_RL,
    NUWA_RL_GOODPUT,
    ORCA,
    OWL,
    OWL_PPO,
    ZIXIA,
    ZIXIA_DELAY,
    ZIXIA_LEAN,
)


class UnknownRecipeError(ValueError):
    """No policy has this name; the message names the nearest, or all."""


def recipe(name: str) -> Recipe:
    """The recipe of this name. Raises UnknownRecipeError."""
    for candidate in RECIPES:
        if candidate.name == name:
            return candidate
    raise UnknownRecipeError(f"policy {name!r} is unknown: {choice(name, (each.name for each in RECIPES))}")
