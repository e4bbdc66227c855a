"""Nuwa with fixed k beside Nuwa-RL, by its reward over the same scenarios: what the policy must beat.

`python -m models.training.fixed_k --split training` chooses the best fixed k, `--folder .build/train/nuwa-rl/seed-1`
shows a trained policy beside it on the validation scenarios.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from cc.command_line.arguments import OneSentenceParser, count
from models.evaluation.comparison import Column, contender_table, learner
from models.evaluation.progress import watched
from models.policies.policy import PolicyError
from models.recipes import RECIPES, recipe
from models.recipes.nuwa_rl import FIXED_KS, NUWA_RL, fixed_k, moves_k
from models.scenarios.evaluation import Score
from models.scenarios.splits import OtherTraceError, Split

SEED = 1
COLUMNS: tuple[Column[Score], ...] = (
    ("utilisation", lambda score: score.utilisation, 3),
    ("queueing delay, ms", lambda score: 1000 * score.queueing_delay_s, 1),
    ("loss, %", lambda score: 100 * score.loss_ratio, 2),
)


def main(arguments: Sequence[str]) -> int:
    """Prints the table; 2 for a policy that cannot serve, or traces that are others."""
    parser = OneSentenceParser(prog="python -m models.training.fixed_k", description=__doc__)
    named = [each.name for each in RECIPES if moves_k(each)]
    parser.add_argument("--policy", choices=named, default=NUWA_RL.name, help="whose reward (default: nuwa-rl)")
    parser.add_argument("--split", choices=get_args(Split), default="validation")
    parser.add_argument("--folder", type=Path, help="where it lies trained, to stand first")
    parser.add_argument("--every", type=count, default=1, help="each how many of the split's scenarios (default: 1)")
    options = parser.parse_args(arguments)
    chosen = recipe(options.policy)
    try:
        contenders = {} if options.folder is None else {chosen.name: learner(chosen, options.folder)}
        scenarios = chosen.scenarios.fixed(options.split, seed=SEED)[:: options.every]
    except (PolicyError, OtherTraceError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    contenders |= {rival.name: rival.make for rival in map(fixed_k, FIXED_KS)}
    scores = chosen.scores(contenders, watched(scenarios, options.split))
    sys.stdout.write(contender_table(scores, reward="reward", digits=4, columns=COLUMNS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
