"""A policy in a folder beside the shipped one of its name: throughput, p95 queueing delay and losses.

.venv/bin/python -m models.evaluation.beside_shipped indigo --folder .build/imported/indigo
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import get_args

from cc.command_line.arguments import OneSentenceParser, count
from models.evaluation.comparison import EVALUATION_SEED, learner
from models.evaluation.progress import watched
from models.evaluation.student import ratio_of_groups
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError, known_policies
from models.recipes import recipe
from models.scenarios.evaluation import Score
from models.scenarios.splits import OtherTraceError, Split

SHIPPED, OTHER = "shipped", "in the folder"
MEASURES: tuple[tuple[str, Callable[[Score], float], int], ...] = (
    ("throughput, Mbit/s", lambda score: 8e-6 * score.throughput_bytes_per_s, 2),
    ("p95 queueing delay, ms", lambda score: 1000 * score.queueing_p95_s, 1),
    ("loss, %", lambda score: 100 * score.loss_ratio, 2),
)


def main(arguments: Sequence[str]) -> int:
    """Prints the table; 2 for a policy that cannot serve, or traces that are others."""
    parser = OneSentenceParser(prog="python -m models.evaluation.beside_shipped", description=__doc__)
    parser.add_argument("name", choices=known_policies(), metavar="NAME", help="a policy")
    parser.add_argument("--folder", type=Path, required=True, help="where the other lies")
    parser.add_argument("--split", choices=get_args(Split), default="test", help="of scenarios (%(default)s)")
    parser.add_argument("--episodes", type=count, default=5, metavar="N", help="of each trace (%(default)s)")
    options = parser.parse_args(arguments)
    chosen = recipe(options.name)
    try:
        makers = {SHIPPED: learner(chosen, POLICIES), OTHER: learner(chosen, options.folder)}
        scenarios = chosen.scenarios.fixed(options.split, seed=EVALUATION_SEED, episodes_per_trace=options.episodes)
        scores = chosen.scores(makers, watched(scenarios, f"{chosen.name}, {options.split}"))
    except (PolicyError, OtherTraceError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(table(scores[SHIPPED], scores[OTHER]))
    return 0


def table(shipped: Sequence[Score], other: Sequence[Score]) -> str:
    """Means over the scenarios, and their ratio with Student's t over the traces; ends with a line break."""
    lines = [f"| | {SHIPPED} | {OTHER} | {SHIPPED} / {OTHER} (95 %) |", "| --- | ---: | ---: | ---: |"]
    traces = [score.trace for score in shipped]
    for title, read, digits in MEASURES:
        mine, its = [read(score) for score in shipped], [read(score) for score in other]
        cells = f"{fmean(mine):.{digits}f} | {fmean(its):.{digits}f}"
        if fmean(its) == 0 or not math.isfinite(fmean(mine) + fmean(its)):
            lines.append(f"| {title} | {cells} | |")
            continue
        ratio = ratio_of_groups(mine, its, traces)
        interval = f" ({ratio.low:.3f} to {ratio.high:.3f})" if ratio.has_enough_groups else ""
        lines.append(f"| {title} | {cells} | {ratio.value:.3f}{interval} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
