"""Importing this registers an environment of each recipe with Gymnasium, as `NuwaStream/RECIPE-v0`.

    import gymnasium
    import models.environments
    gymnasium.make("NuwaStream/nuwa-rl-v0")

In one line: `gymnasium.make("models.environments:NuwaStream/nuwa-rl-v0")`. No torch is needed.
(Gymnasium 1 looks for no entry points of packages any more.)
"""

from __future__ import annotations

import gymnasium

from models.recipes import RECIPES

NAMESPACE = "NuwaStream"
VERSION = 0


def environment_id(policy: str) -> str:
    """As `gymnasium.make` takes it."""
    return f"{NAMESPACE}/{policy}-v{VERSION}"


for _recipe in RECIPES:
    gymnasium.register(
        environment_id(_recipe.name),
        entry_point="models.training.environment:make_environment",
        kwargs={"policy": _recipe.name},
    )
