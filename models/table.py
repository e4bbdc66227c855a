"""`python -m models table` prints README's table: every policy, whether it is shipped, and what its card says of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from models.card import CardError, read_card
from models.card_page import difference_text
from models.policy import POLICIES, known_policies
from models.recipes import RECIPES
from models.recipes.recipe import Recipe

HEAD = (
    "| policy | scheme | algorithm | shipped | reward | first rival | its reward | difference (95 %) | kB |",
    "| --- | --- | --- | --- | ---: | --- | ---: | ---: | ---: |",
)
NOT_SHIPPED = ("no", *5 * ("",))


def policy_table(folder: Path = POLICIES) -> str:
    """Rewards are those over the test scenarios. Raises CardError."""
    shipped = known_policies(folder)
    return "\n".join([*HEAD, *(_row(recipe, folder, is_shipped=recipe.name in shipped) for recipe in RECIPES)])


def _row(recipe: Recipe, folder: Path, *, is_shipped: bool) -> str:
    achieved = _achieved(recipe.name, folder) if is_shipped else NOT_SHIPPED
    return f"| {' | '.join((f'`{recipe.name}`', recipe.scheme.title, recipe.algorithm, *achieved))} |"


def _achieved(name: str, folder: Path) -> tuple[str, ...]:
    card_file, model_file = folder / f"{name}.json", folder / f"{name}.onnx"
    test = read_card(card_file).results.get("test")
    if test is None:
        raise CardError(f"card {card_file} has no results of test scenarios: ship the policy again")
    if not model_file.is_file():
        raise CardError(f"card {card_file} has no model {model_file}: ship the policy again")
    try:
        reward = test["reward"]
        found = (f"{reward['policy']:.4f}", test["rival"], f"{reward['rival']:.4f}", difference_text(test))
    except (KeyError, TypeError, ValueError) as error:
        raise CardError(f"card {card_file} has results that cannot be read: {error!r}") from error
    return ("yes", *found, f"{model_file.stat().st_size / 1000:.0f}")


def main(arguments: Sequence[str]) -> int:
    """0, or 2 for a card that cannot be used."""
    argparse.ArgumentParser(prog="python -m models table", description=__doc__).parse_args(arguments)
    try:
        sys.stdout.write(f"{policy_table()}\n")
    except CardError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0
