"""Nuwa with fixed k beside Nuwa-RL, by Nuwa-RL's reward over the same scenarios: what the policy must beat.

`python -m models.training.fixed_k --split training` chooses the best fixed k, `--policy .build/train/nuwa-rl/seed-1`
shows a trained policy beside it on the validation scenarios.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import get_args

from tqdm import tqdm

from cc.receiver.nuwa import Nuwa, NuwaParameters
from cc.registry import scheme
from models.policy import load_policy
from models.scenarios.episode import Contender
from models.scenarios.evaluation import Score, bootstrap, play
from models.scenarios.splits import Split
from models.training.recipes.nuwa_rl import NUWA_RL

KS = (1.0, 2.0, 4.0, 7.0, 9.0)
SEED = 1
MakeContender = Callable[[], Contender]


def fixed_k(k: float) -> MakeContender:
    """Nuwa with this k instead of the preset's."""

    def make_receiver(parameters: NuwaParameters) -> Nuwa:
        return Nuwa(replace(parameters, k=k))

    return lambda: Contender(replace(scheme("nuwa"), make_receiver=make_receiver))


def trained(folder: Path) -> MakeContender:
    """Nuwa-RL with the policy in a folder. Raises PolicyError."""
    policy = load_policy(NUWA_RL.name, folder)
    return lambda: Contender(NUWA_RL.scheme, decide=policy.runner().decide)


def table(scores: dict[str, Sequence[Score]]) -> str:
    """Markdown; the difference is the first contender's reward minus this one's, over the same scenarios."""
    lines = [
        "| contender | reward | the first minus it | utilisation | queueing delay, ms | loss, % |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    first = next(iter(scores.values()))
    for name, each in scores.items():
        apart = bootstrap([mine.reward - its.reward for mine, its in zip(first, each, strict=True)])
        measures = (
            f"{fmean(score.reward for score in each):.4f}",
            f"{apart.mean:+.4f} ({apart.low:+.4f} to {apart.high:+.4f})" if each is not first else "",
            f"{fmean(score.utilisation for score in each):.3f}",
            f"{1000 * fmean(score.queueing_delay_s for score in each):.1f}",
            f"{100 * fmean(score.loss_ratio for score in each):.2f}",
        )
        lines.append(f"| {name} | {' | '.join(measures)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m models.training.fixed_k", description=__doc__)
    parser.add_argument("--split", choices=get_args(Split), default="validation")
    parser.add_argument("--policy", type=Path, help="the folder of a trained policy, to stand first")
    parser.add_argument("--every", type=int, default=1, help="each how many of the split's scenarios (default: 1)")
    options = parser.parse_args(arguments)
    contenders = {"nuwa-rl": trained(options.policy)} if options.policy is not None else {}
    contenders |= {f"nuwa, k = {k:g}": fixed_k(k) for k in KS}
    scenarios = NUWA_RL.scenarios.fixed(options.split, seed=SEED)[:: options.every]
    scores: dict[str, list[Score]] = {name: [] for name in contenders}
    for scenario in tqdm(
        scenarios, desc=options.split, unit="scenario", mininterval=0.5 if sys.stderr.isatty() else 20
    ):
        for name, make in contenders.items():
            scores[name].append(play(make(), scenario, NUWA_RL.reward))
    sys.stdout.write(table(dict(scores)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
