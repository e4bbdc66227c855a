"""A shipped policy beside its rivals, played anew: the tables of its card's page, or the numbers."""

from __future__ import annotations

import argparse
import json
import sys

from models.evaluation.comparison import compare, evaluation_scenarios
from models.evaluation.progress import watched
from models.policies.card_page import comparison_page
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError
from models.recipes import UnknownRecipeError, recipe
from models.scenarios.splits import OtherTraceError


def run(options: argparse.Namespace) -> int:
    """0 if it was played, 2 where there is no such policy, or a trace that is not the recorded one."""
    try:
        chosen = recipe(options.name)
        scenarios = watched(evaluation_scenarios(chosen, options.split), f"{chosen.name}, {options.split}")
        comparison = compare(chosen, options.folder or POLICIES, scenarios)
    except (UnknownRecipeError, PolicyError, OtherTraceError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    title = f"{chosen.name}, {options.split} scenarios"
    text = json.dumps(comparison, indent=2) if options.json else "\n".join(comparison_page(title, comparison))
    sys.stdout.write(f"{text}\n")
    return 0
