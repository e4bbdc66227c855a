"""A policy that goes on learning during a run, beside the same policy as it serves, in the same scenarios.

`.build/venv-train/bin/python -m models.training.online --policy owl --folder .build/train/owl/seed-1` plays the setting
of the policy's paper. One arm answers as it serves; the other starts with the same network, chooses by softmax and
learns on, anew in every run (`online_dqn.py`). Rewards of the table are the recipe's, by the link's truth; the learner
goes by what its scheme measures. Everything is drawn from the seed of the run, so the same command prints the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import torch

from cc.command_line.arguments import OneSentenceParser, at_least, count
from models.evaluation.progress import watched
from models.evaluation.student import mean_of_groups
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError
from models.recipes import UnknownRecipeError, recipe
from models.recipes.recipe import Recipe
from models.scenarios.scenario import Scenario
from models.scenarios.seeds import with_seeds
from models.scenarios.splits import OtherTraceError
from models.scenarios.traces import UnknownTraceError
from models.training.online_runs import OFF, ON, PARTS, CannotLearnError, Part, Runs, arms, play

LEAST_S = 1.0 * PARTS
SEEDS = 3


def table(runs: Runs, duration_s: float, traces: Sequence[str]) -> str:
    """Markdown, means over the runs; then how much more learning earned, of pairs. `traces`: those of the runs."""
    lines = [
        "| until, s | reward, off | on | utilisation, off | on | loss, off, % | on, % |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    untils = [f"{duration_s * number / PARTS:g}" for number in range(1, PARTS + 1)]
    for at, until in enumerate((*untils, "all")):
        off, on = ([parts[at] for parts in runs[arm]] for arm in (OFF, ON))
        measures = (
            *(f"{fmean(part.reward for part in parts):.4f}" for parts in (off, on)),
            *(f"{fmean(part.utilisation for part in parts):.3f}" for parts in (off, on)),
            *(f"{100 * fmean(part.loss_ratio for part in parts):.2f}" for parts in (off, on)),
        )
        lines.append(f"| {until} | {' | '.join(measures)} |")
    return "\n".join((*lines, "", _difference(runs, traces))) + "\n"


def _difference(runs: Runs, traces: Sequence[str]) -> str:
    pairs = zip(runs[ON], runs[OFF], strict=True)
    apart = mean_of_groups([on[-1].reward - off[-1].reward for on, off in pairs], traces)
    sure = f" ({apart.low:+.4f} to {apart.high:+.4f})" if apart.has_enough_groups else ""
    return f"Reward with learning less without: {apart.value:+.4f}{sure}, {apart.samples} runs of each."


def main(arguments: Sequence[str]) -> int:
    """Prints the table; 2 for what cannot be played."""
    options = _parser().parse_args(arguments)
    torch.set_num_threads(1)
    try:
        chosen = recipe(options.policy)
        makers = arms(chosen, options.folder)
        scenarios = _scenarios(chosen, options)
    except (UnknownRecipeError, CannotLearnError, OtherTraceError, UnknownTraceError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except PolicyError as error:
        trained = f"npm run train -- --policy {options.policy} --seed 1 trains one"
        sys.stderr.write(f"{error}; {trained}, --folder .build/train/{options.policy}/seed-1 takes it\n")
        return 2
    runs: dict[str, list[list[Part]]] = {arm: [] for arm in makers}
    for scenario in watched(scenarios, chosen.name):
        for arm, make in makers.items():
            runs[arm].append(play(make(scenario), scenario, chosen))
    traces = [scenario.trace for scenario in scenarios]
    duration_s = scenarios[0].duration_s
    links = ", ".join(dict.fromkeys(traces))
    sys.stdout.write(
        f"{chosen.name} over {links}, {duration_s:g} s, seeds 1 to {options.seeds}, learning off and on\n\n"
    )
    sys.stdout.write(table(runs, duration_s, traces))
    return 0


def _scenarios(chosen: Recipe, options: argparse.Namespace) -> list[Scenario]:
    """Raises UnknownTraceError and OtherTraceError."""
    setting = chosen.paper_setting or chosen.scenarios.fixed("test", seed=1)
    if options.trace is not None:
        setting = tuple(replace(setting[0], trace=trace) for trace in options.trace)
    if options.seconds is not None:
        setting = tuple(replace(scenario, duration_s=options.seconds) for scenario in setting)
    return with_seeds(setting, options.seeds)


def _parser() -> argparse.ArgumentParser:
    parser = OneSentenceParser(prog="python -m models.training.online", description=__doc__)
    parser.add_argument("--policy", required=True, help="one that is trained by DQN, such as owl")
    parser.add_argument("--folder", type=Path, default=POLICIES, help="where it lies (default: models/policies)")
    parser.add_argument("--trace", nargs="+", help="links instead of the paper's, with its delay and queue")
    parser.add_argument(
        "--seconds", type=at_least(LEAST_S), help=f"of each run, at least {LEAST_S:g} (default: the paper's)"
    )
    parser.add_argument(
        "--seeds", type=count, default=SEEDS, help=f"runs of each link, each begun elsewhere (default: {SEEDS})"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
