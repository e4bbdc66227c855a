"""`models table` prints README's table: every policy, whether it is shipped, and what its card says of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cc.registry import UnknownSchemeError
from models.policies.card import CardError
from models.policies.card_page import MISSING_TEST_TRACES, difference_text
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError, known_policies, read_policy
from models.recipes import RECIPES
from models.recipes.recipe import Recipe

HEAD = (
    "| policy | scheme | algorithm | shipped | reward | first rival | its reward | difference (95 %) | seeds | kB |",
    "| --- | --- | --- | --- | ---: | --- | ---: | ---: | ---: | ---: |",
)
NOT_SHIPPED = ("no", *6 * ("",))


def policy_table(folder: Path = POLICIES) -> str:
    """Rewards are those over the test scenarios: the shipped seed's, and mean and standard deviation of all trained.

    Raises CardError, PolicyError and UnknownSchemeError.
    """
    shipped = known_policies(folder)
    return "\n".join([*HEAD, *(_row(recipe, folder, is_shipped=recipe.name in shipped) for recipe in RECIPES)])


def _row(recipe: Recipe, folder: Path, *, is_shipped: bool) -> str:
    achieved = _achieved(recipe.name, folder) if is_shipped else NOT_SHIPPED
    return f"| {' | '.join((f'`{recipe.name}`', recipe.scheme.title, recipe.algorithm, *achieved))} |"


def _achieved(name: str, folder: Path) -> tuple[str, ...]:
    card_file = folder / f"{name}.json"
    card, model = read_policy(name, folder)
    results = card.results
    test = results.get("test")
    if test is None:
        raise CardError(f"card {card_file} has no results of test scenarios: ship the policy again")
    try:
        missing = len(results.get(MISSING_TEST_TRACES, ()))
        reward, spread = test["reward"], results["test_reward_spread"]
        found = (
            f"yes, without {missing} of the test traces" if missing else "yes",
            f"{reward['policy']:.4f}",
            test["rival"],
            f"{reward['rival']:.4f}",
            difference_text(test),
            f"{spread['mean']:.4f} ± {spread['standard_deviation']:.4f} ({len(results['test_reward_of_seeds'])})",
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CardError(f"card {card_file} has results that cannot be read: {error!r}") from error
    return (*found, f"{len(model) / 1000:.0f}")


def run(_options: argparse.Namespace) -> int:
    """0, or 2 for a card that cannot be used, or a recipe without its scheme."""
    try:
        sys.stdout.write(f"{policy_table()}\n")
    except (CardError, PolicyError, UnknownSchemeError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0
