"""`npm run train`: trains a policy, validates it, and on request ships it."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

from cc.registry import UnknownSchemeError, scheme
from models.arguments import count, generator_seed
from models.policies.card import CardError
from models.policies.policy import POLICIES, VECTORS, PolicyError
from models.recipes import UnknownRecipeError, recipe
from models.recipes.recipe import Recipe, VariantError
from models.scenarios.splits import OtherTraceError
from models.training.algorithms import UnknownAlgorithmError
from models.training.environment import NoDecisionError
from models.training.run import Run, RunError
from models.training.ship import NotReadyError, finish, ship
from models.training.terms import traces_left_out
from models.training.train import train

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / ".build" / "train"
REFUSALS = (
    CardError,
    NoDecisionError,
    NotReadyError,
    OtherTraceError,
    PolicyError,
    RunError,
    UnknownAlgorithmError,
    UnknownRecipeError,
    UnknownSchemeError,
    VariantError,
)
"""Whose messages are one sentence for whoever gave the command."""
NOT_FOR_SHIP = ("steps", "seed", "history", "resume", "processes")
"""Options that train."""


def main(arguments: list[str]) -> int:
    """0 if all went well, 2 for what cannot be done."""
    options = _parser().parse_args(arguments)
    given = [f"--{name}" for name in NOT_FOR_SHIP if getattr(options, name)]
    if options.ship and given:
        sys.stderr.write(
            f"--ship takes --policy and --output alone, and chooses among all seeds that are trained for the scheme's "
            f"own history: leave {' and '.join(given)} out\n"
        )
        return 2
    try:
        chosen = recipe(options.policy)
        if options.ship:
            _ship(chosen, options.output)
        else:
            _train(chosen, options)
    except REFUSALS as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="npm run train --", description=__doc__)
    parser.add_argument("--policy", required=True, help="as models/recipes lists them")
    parser.add_argument("--steps", type=count, help="decisions to train for; the recipe's, if not given")
    parser.add_argument("--seed", type=generator_seed, help="of the training; 1, if not given")
    parser.add_argument("--history", type=count, help="another history than the scheme's: to compare, not to ship")
    parser.add_argument("--resume", action="store_true", help="go on from the seed's last checkpoint, if it has one")
    parser.add_argument("--processes", action="store_true", help="each environment in a process of its own")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="default: .build/train")
    parser.add_argument(
        "--ship", action="store_true", help="write models/policies/ from the seeds that are trained, at least three"
    )
    return parser


def _train(chosen: Recipe, options: argparse.Namespace) -> None:
    scheme(chosen.name)  # before a folder is made, or a process that cannot say what it lacks
    if options.history is not None:
        chosen = chosen.with_history(options.history)
    steps = chosen.steps if options.steps is None else options.steps
    seed = 1 if options.seed is None else options.seed
    folder = options.output / _folder_name(chosen, options.history) / f"seed-{seed}"
    run = Run(chosen, seed, steps, folder, uses_processes=options.processes, commit=_commit())
    left_out = traces_left_out(chosen)
    if left_out:
        sys.stderr.write(
            f"trains without {', '.join(left_out)}, which are not installed here (models/training/README.md, Train): "
            "what comes of it differs from the shipped policy\n"
        )
    train(run, resumes=options.resume)
    sys.stdout.write(f"{summary(chosen, finish(run))}\n{_relative(folder)}\n")


def _ship(chosen: Recipe, output: Path) -> None:
    card = ship(chosen, output / chosen.name)
    sys.stdout.write(f"{summary(chosen, card.results['test'])}\nmodels/policies/{chosen.name}.onnx, .json, .md\n")
    sys.stdout.write("models/README.md has the table of before; .venv/bin/python -m models table prints today's\n")
    sys.stdout.write(stale_vectors(chosen.name, POLICIES))


def stale_vectors(name: str, folder: Path) -> str:
    """How to renew the answers to which the browser is held, a line; empty for a policy without them."""
    file = folder / f"{name}{VECTORS}"
    if not file.is_file():
        return ""
    path = _relative(file)
    renew = f".venv/bin/python -m models.policies.vectors {name} > {path}"
    return f"{path} has the answers of the policy before; renew it: {renew}\n"


def summary(chosen: Recipe, comparison: dict[str, Any]) -> str:
    """A line for each rival."""
    return "\n".join(_beside(chosen, each) for each in (comparison, *comparison["others"].values()))


def _beside(chosen: Recipe, comparison: dict[str, Any]) -> str:
    reward, utilisation, latency = (comparison[name] for name in ("reward", "utilisation", "latency_s"))
    difference = reward["difference"]
    return (
        f"{chosen.name} / {comparison['rival']} over {comparison['scenarios']} scenarios: "
        f"reward {reward['policy']:.4f} / {reward['rival']:.4f} "
        f"(difference, 95 %: {difference['low']:+.4f} to {difference['high']:+.4f}), "
        f"utilisation {utilisation['policy']:.3f} / {utilisation['rival']:.3f}, "
        f"latency {1000 * latency['policy']:.1f} / {1000 * latency['rival']:.1f} ms"
    )


def _folder_name(chosen: Recipe, history: int | None) -> str:
    return chosen.name if history is None else f"{chosen.name}-history-{history}"


def _commit() -> str:
    """The clone's; `+` if files of it were changed."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    try:
        commit = git("rev-parse", "--short=10", "HEAD")
        changed = git("status", "--porcelain", "--", "cc", "models", ":!models/policies")
    except (OSError, subprocess.CalledProcessError):  # no git, or no clone
        return "unknown"
    return f"{commit}+" if changed else commit


def _relative(folder: Path) -> Path:
    return folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
