"""Measures shipped policies again with the code as it is, and writes results and pages of their cards anew.

What the other trained seeds earned stays as it was when the policy was shipped: only the shipped one is left of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from models.evaluation.comparison import compare, evaluation_scenarios
from models.evaluation.progress import watched
from models.policies.card import CardError
from models.policies.card_page import MISSING_TEST_TRACES, SEEDS_ARE_OLDER, card_page
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError, load_policy
from models.recipes import UnknownRecipeError, recipe
from models.recipes.recipe import Recipe
from models.scenarios.splits import OtherTraceError, Split, missing_traces


def renew(chosen: Recipe, folder: Path = POLICIES) -> None:
    """Write the card and the page of the policy that lies there. Raises PolicyError, CardError and OtherTraceError."""
    load_policy(chosen.name, folder)  # before anything is played
    file = folder / f"{chosen.name}.json"
    card = json.loads(file.read_text(encoding="utf-8"))
    if not card["results"]:
        raise CardError(f"card {file} has no results to renew: its policy was not shipped; evaluate it")
    splits: tuple[Split, ...] = ("validation", "test")
    for split in splits:
        scenarios = watched(evaluation_scenarios(chosen, split), f"{chosen.name}, {split}")
        card["results"][split] = compare(chosen, folder, scenarios)
    if chosen.paper_setting:
        card["results"]["paper_setting"] = compare(chosen, folder, chosen.paper_setting)
    card["results"][SEEDS_ARE_OLDER] = True
    card["results"][MISSING_TEST_TRACES] = missing_traces("test")
    file.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    page = card_page(load_policy(chosen.name, folder).card)
    (folder / f"{chosen.name}.md").write_text(page + "\n", encoding="utf-8")


def run(options: argparse.Namespace) -> int:
    """0 if all were written, 2 where there is no such policy, or a trace that is not the recorded one."""
    try:
        for chosen in [recipe(name) for name in options.names]:
            renew(chosen, options.folder or POLICIES)
    except (UnknownRecipeError, PolicyError, CardError, OtherTraceError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0
