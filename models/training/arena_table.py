"""ZiXia's arena as a table: a trained policy and its rivals, each ranked among all in the same networks.

`python -m models.training.arena_table --policy zixia` plays the last training's model of seed 1 on the validation
scenarios; `--paper` on the setting of the paper's table III instead.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

from cc.command_line.arguments import OneSentenceParser
from cc.command_line.clone import build_folder
from models.evaluation.comparison import Column, contender_table, learner
from models.evaluation.progress import watched
from models.policies.policy import PolicyError
from models.recipes import RECIPES
from models.recipes.recipe import Recipe
from models.scenarios.arena import Placing, contest
from models.scenarios.splits import OtherTraceError, Split

TRAININGS = build_folder() / "train"
SEED = 1
COLUMNS: tuple[Column[Placing], ...] = (
    ("rank of throughput", lambda placing: placing.throughput_rank, 2),
    ("of delay", lambda placing: placing.delay_rank, 2),
    ("Mbit/s", lambda placing: 8e-6 * placing.throughput_bytes_per_s, 3),
    ("p95 delay, ms", lambda placing: 1000 * placing.queueing_p95_s, 1),
)


def contestants(recipes: Iterable[Recipe] = RECIPES) -> dict[str, Recipe]:
    """ZiXia and those of its variants whose judge is a contest, too; by their names."""
    return {
        recipe.name: recipe for recipe in recipes if isinstance(recipe.judge, partial) and recipe.judge.func is contest
    }


def main(arguments: Sequence[str]) -> int:
    """Prints the table; 2 for a policy that is not there, or traces that are others."""
    parser = OneSentenceParser(prog="python -m models.training.arena_table", description=__doc__)
    known = contestants()
    parser.add_argument("--policy", choices=tuple(known), required=True)
    parser.add_argument("--folder", type=Path, help="where it lies (default: .build/train/NAME/seed-1)")
    parser.add_argument("--split", choices=get_args(Split), default="validation")
    parser.add_argument("--paper", action="store_true", help="the paper's low-rate links instead of a split's")
    options = parser.parse_args(arguments)
    recipe = known[options.policy]
    folder = options.folder or TRAININGS / recipe.name / f"seed-{SEED}"
    try:
        contestant = learner(recipe, folder)
        scenarios = recipe.paper_setting if options.paper else recipe.scenarios.fixed(options.split, seed=SEED)
    except PolicyError as error:
        sys.stderr.write(f"{error}; npm run train -- --policy {recipe.name} --seed {SEED} trains it\n")
        return 2
    except OtherTraceError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    makers = {recipe.name: contestant} | {rival.name: rival.make for rival in recipe.rivals if rival.is_there}
    scores = recipe.scores(makers, watched(scenarios, recipe.name))
    placings = {name: [each for each in its if isinstance(each, Placing)] for name, its in scores.items()}
    sys.stdout.write(contender_table(placings, reward="ranking reward", digits=2, columns=COLUMNS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
