"""What `train` does: trains a policy and validates it, or ships one that is trained."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from cc.command_line.clone import ROOT, is_clone
from cc.registry import UnknownSchemeError, scheme
from models.executors.registry import open_workers
from models.executors.workers import ClusterError
from models.policies.card import CardError
from models.policies.folder import POLICIES
from models.policies.policy import VECTORS, PolicyError
from models.recipes import UnknownRecipeError, recipe
from models.recipes.recipe import Recipe, VariantError
from models.scenarios.splits import OtherTraceError
from models.training.algorithms import UnknownAlgorithmError
from models.training.environment import NoDecisionError
from models.training.export import ExportError
from models.training.run import Run, RunError
from models.training.seeds import Training, seeds_table, train_all
from models.training.ship import NotReadyError, finish, ship
from models.training.terms import traces_left_out
from models.training.train import train


class NoCloneError(RuntimeError):
    """What is shipped belongs into a clone, and there is none; the message is one sentence."""


REFUSALS = (
    CardError,
    ClusterError,
    ExportError,
    NoCloneError,
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


def carry_out(options: argparse.Namespace) -> int:
    """As command.py understood it; the exit status. Raises one of REFUSALS, and ClusterGoneError."""
    chosen = recipe(options.policy)
    if options.ship:
        _ship(chosen, options.output)
        return 0
    return _train(chosen, options)


def _train(chosen: Recipe, options: argparse.Namespace) -> int:
    scheme(chosen.name)  # before a folder is made, or a process that cannot say what it lacks
    if options.history is not None:
        chosen = chosen.with_history(options.history)
    steps = chosen.steps if options.steps is None else options.steps
    trainings = options.output / _folder_name(chosen, options.history)
    left_out = traces_left_out(chosen)
    if left_out:
        sys.stderr.write(
            f"trains without {', '.join(left_out)}, which are not installed here (models/training/README.md, Train): "
            "what comes of it differs from the shipped policy\n"
        )
    if options.seeds is not None:
        return _train_seeds(chosen, options, steps, trainings)
    seed = 1 if options.seed is None else options.seed
    run = Run(chosen, seed, steps, trainings / f"seed-{seed}", uses_processes=options.processes, commit=_commit())
    train(run, resumes=options.resume)
    sys.stdout.write(f"{summary(chosen, finish(run))}\n{_relative(run.folder)}\n")
    return 0


def _train_seeds(chosen: Recipe, options: argparse.Namespace, steps: int, folder: Path) -> int:
    seeds: tuple[int, ...] = options.seeds
    commit = _commit()
    trainings = [
        Training(options.policy, options.history, seed, steps, folder / f"seed-{seed}", options.processes, commit)
        for seed in seeds
    ]
    jobs = min(len(seeds), options.jobs or os.cpu_count() or 1)
    with open_workers(options.cluster, jobs, lambda line: sys.stderr.write(f"{line}\n")) as workers:
        found = train_all(trainings, workers, REFUSALS, resumes=options.resume)
    sys.stdout.write(f"{seeds_table(chosen, found)}\ntrained by {workers.where}, in {_relative(folder)}\n")
    return 1 if any(each.problem is not None for each in found.values()) else 0


def _ship(chosen: Recipe, output: Path) -> None:
    if not is_clone():
        raise NoCloneError(f"--ship writes models/policies/ of a clone, and {ROOT} is none: run it in a clone")
    card = ship(chosen, output / chosen.name)
    sys.stdout.write(f"{summary(chosen, card.results['test'])}\nmodels/policies/{chosen.name}.onnx, .json, .md\n")
    sys.stdout.write("models/README.md has the table of before; npm run nuwa -- models table prints today's\n")
    sys.stdout.write(stale_vectors(chosen.name, POLICIES))


def stale_vectors(name: str, folder: Path) -> str:
    """How to renew the answers to which the browser is held, a line; empty for a policy without them."""
    file = folder / f"{name}{VECTORS}"
    if not file.is_file():
        return ""
    path = _relative(file)
    renew = f".venv/bin/python -m models.evaluation.vectors {name} > {path}"
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
    if not is_clone():
        return "unknown"

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
