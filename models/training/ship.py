"""What becomes of trained models: validation, the choice among seeds, the card, and the files that are shipped."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from importlib.metadata import version
from itertools import count
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from models.evaluation.comparison import compare, evaluation_scenarios
from models.evaluation.progress import watched
from models.policies.card import Card, Training, read_card
from models.policies.card_page import MISSING_TEST_TRACES, card_page
from models.policies.folder import POLICIES
from models.policies.metadata import with_metadata
from models.policies.policy import load_policy
from models.recipes.recipe import Recipe
from models.scenarios.splits import Split, missing_traces
from models.training.export import OPSET, export, recurrent_units
from models.training.run import STATE, VALIDATION, Run, State, UnfinishedError
from models.training.terms import parameters, splits_sha256, traces_left_out
from models.training.train import load_trained

LEAST_SEEDS = 3
SEED_FOLDER = re.compile("seed-([1-9][0-9]*)")
PACKAGES = ("torch", "stable-baselines3", "sb3-contrib", "gymnasium", "onnx", "onnxruntime")


class NotReadyError(RuntimeError):
    """There is nothing to ship yet; the message says what is missing."""


def finish(run: Run) -> dict[str, Any]:
    """Export a trained run as a policy of its own folder, and play the validation scenarios beside the rivals.

    Raises RunError.
    """
    state = run.trained_state()
    if not state.is_done:
        raise UnfinishedError(
            f"{run.folder} has {state.steps_done} of the {state.steps} decisions that it is trained for: "
            f"go on with --resume --steps {state.steps}"
        )
    model = load_trained(run)
    recipe = run.recipe
    file = run.folder / f"{recipe.name}.onnx"
    export(model, recipe, file)
    card = Card(
        name=recipe.name,
        scheme=recipe.name,
        source=recipe.source,
        space=recipe.space,
        sha256="",
        opset=OPSET,
        recurrent_units=recurrent_units(model),
        training=_training(run, state),
        notes=recipe.notes,
    )
    model_bytes = with_metadata(file.read_bytes(), card)
    file.write_bytes(model_bytes)
    card = replace(card, sha256=sha256(model_bytes).hexdigest())
    _write(run.folder / f"{recipe.name}.json", card.as_json())
    comparison = _evaluate(run, "validation")
    _write(run.folder / VALIDATION, json.dumps(comparison, indent=2))
    return comparison


def ship(recipe: Recipe, trainings: Path, folder: Path = POLICIES) -> Card:
    """Measure all trained seeds in `trainings` on the test scenarios and write the one that is best in validation.

    All are validated anew: how a policy is judged, and beside whom, may have changed since.
    Raises NotReadyError, CardError, PolicyError and RunError.
    """
    runs = trained_runs(recipe, trainings)
    if len(runs) < LEAST_SEEDS or len({run.steps for run in runs}) != 1:
        raise NotReadyError(_what_is_missing(recipe, runs, trainings))
    validation = {run.seed: _evaluate(run, "validation") for run in runs}
    best = max(runs, key=lambda run: validation[run.seed]["reward"]["policy"])
    seeds = {run.seed: _evaluate(run, "test") for run in runs}
    shipped = json.loads((best.folder / f"{recipe.name}.json").read_text(encoding="utf-8"))
    shipped["notes"] = list(recipe.notes)
    shipped["results"] = {
        "shipped_seed": best.seed,
        "validation": validation[best.seed],
        "test": seeds[best.seed],
        MISSING_TEST_TRACES: missing_traces("test"),
        "test_reward_of_seeds": {str(seed): comparison["reward"]["policy"] for seed, comparison in seeds.items()},
        "test_reward_spread": _spread([comparison["reward"]["policy"] for comparison in seeds.values()]),
        "paper_setting": compare(recipe, best.folder, recipe.paper_setting) if recipe.paper_setting else None,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{recipe.name}.onnx").write_bytes((best.folder / f"{recipe.name}.onnx").read_bytes())
    _write(folder / f"{recipe.name}.json", json.dumps(shipped, indent=2))
    card = load_policy(recipe.name, folder).card
    _write(folder / f"{recipe.name}.md", card_page(card))
    return card


def trained_runs(recipe: Recipe, folder: Path) -> list[Run]:
    """The runs that came to their end and were validated as they are now, by seed.

    Raises CardError and RunError.
    """
    runs = []
    for file in folder.glob(f"seed-*/{VALIDATION}"):
        number = SEED_FOLDER.fullmatch(file.parent.name)
        if number is None:
            continue  # somebody's copy of one
        run = Run(recipe, int(number[1]), 0, file.parent)
        state = run.state
        if state is not None and state.is_done and _exported_steps(run) == state.steps_done:
            runs.append(replace(run, steps=run.trained_state().steps))
    return sorted(runs, key=lambda run: run.seed)


def _exported_steps(run: Run) -> int:
    return read_card(run.folder / f"{run.recipe.name}.json").training.steps


def _what_is_missing(recipe: Recipe, runs: Sequence[Run], trainings: Path) -> str:
    listed = ", ".join(f"seed {run.seed} ({run.steps} steps)" for run in runs) or "none"
    wanted = max((run.steps for run in runs), default=recipe.steps)
    done = {run.seed for run in runs if run.steps == wanted}
    seed = next(number for number in count(1) if number not in done)
    steps = "" if wanted == recipe.steps else f" --steps {wanted}"
    resume = " --resume" if (trainings / f"seed-{seed}" / STATE).is_file() else ""
    differs = len({run.steps for run in runs}) > 1
    listed += " (the folder of one that is not to count is to be removed)" if differs else ""
    return (
        f"{recipe.name}: {LEAST_SEEDS} seeds, trained with the same steps, are needed, and {trainings} has {listed}; "
        f"train the next: npm run train -- --policy {recipe.name} --seed {seed}{steps}{resume}"
    )


def _evaluate(run: Run, split: Split) -> dict[str, Any]:
    scenarios = evaluation_scenarios(run.recipe, split)
    return compare(run.recipe, run.folder, watched(scenarios, f"{run.recipe.name} seed {run.seed}, {split}"))


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {"mean": round(fmean(values), 5), "standard_deviation": round(stdev(values), 5)}


def _training(run: Run, state: State) -> Training:
    recipe = run.recipe
    return Training(
        command=_command(run, state.steps),
        algorithm=recipe.algorithm,
        steps=state.steps_done,
        seed=run.seed,
        commit=state.commit,
        versions={package: version(package) for package in PACKAGES},
        parameters=parameters(recipe),
        reward=recipe.reward_text,
        scenarios=asdict(recipe.practised_scenarios),
        splits_sha256=splits_sha256(),
        resumed_at_steps=state.resumed_at_steps,
        missing_traces=traces_left_out(recipe),
    )


def _command(run: Run, steps: int) -> str:
    history = "" if run.recipe.history is None else f" --history {run.recipe.history}"
    return f"npm run train -- --policy {run.recipe.name} --seed {run.seed} --steps {steps}{history}"


def _write(file: Path, text: str) -> None:
    file.write_text(text + "\n", encoding="utf-8")
