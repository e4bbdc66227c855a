"""What a training leaves, without a model: for tests of what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path

from models.policies.folder import POLICIES
from models.recipes.bbr_fit import BBR_FIT
from models.recipes.recipe import Recipe
from models.training.run import STATE, VALIDATION, Run, State
from models.training.terms import terms

STEPS = 128


def trained(
    folder: Path,
    seed: int,
    *,
    by: Recipe = BBR_FIT,
    steps: int = STEPS,
    done: int | None = None,
    exported: int | None = None,
) -> Run:
    """What a training leaves, without a model."""
    run = Run(BBR_FIT, seed, steps, folder / f"seed-{seed}")
    run.folder.mkdir(parents=True)
    done = steps if done is None else done
    state = State(seed, steps, done, "abc", resumed_at_steps=(), terms=terms(by))
    (run.folder / STATE).write_text(state.as_json(), encoding="utf-8")
    card = json.loads((POLICIES / "bbr-fit.json").read_text(encoding="utf-8"))
    card["training"]["steps"] = done if exported is None else exported
    (run.folder / "bbr-fit.json").write_text(json.dumps(card), encoding="utf-8")
    (run.folder / VALIDATION).write_text("{}", encoding="utf-8")
    return run
