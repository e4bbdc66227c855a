"""Nuwa with fixed k beside Nuwa-RL, by its reward over the same scenarios: what the policy must beat.

`python -m models.training.fixed_k --split training` chooses the best fixed k, `--folder .build/train/nuwa-rl/seed-1`
shows a trained policy beside it on the validation scenarios.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import get_args

from cc.command_line.arguments import OneSentenceParser, count
from models.evaluation.comparison import difference_text, learner, reward_difference
from models.evaluation.progress import watched
from models.policies.policy import PolicyError
from models.recipes import RECIPES, recipe
from models.recipes.nuwa_rl import FIXED_KS, NUWA_RL, fixed_k, moves_k
from models.scenarios.evaluation import Score
from models.scenarios.splits import OtherTraceError, Split

SEED = 1


def table(scores: Mapping[str, Sequence[Score]]) -> str:
    """Markdown; the difference is the first contender's reward minus this one's, over the same scenarios."""
    lines = [
        "| contender | reward | the first minus it | utilisation | queueing delay, ms | loss, % |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    first = next(iter(scores.values()))
    for name, each in scores.items():
        apart = reward_difference(first, each)
        measures = (
            f"{fmean(score.reward for score in each):.4f}",
            "" if each is first else difference_text(apart, 4),
            f"{fmean(score.utilisation for score in each):.3f}",
            f"{1000 * fmean(score.queueing_delay_s for score in each):.1f}",
            f"{100 * fmean(score.loss_ratio for score in each):.2f}",
        )
        lines.append(f"| {name} | {' | '.join(measures)} |")
    return "\n".join(lines) + "\n"


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
    sys.stdout.write(table(chosen.scores(contenders, watched(scenarios, options.split))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
