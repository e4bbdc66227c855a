"""`python -m models.training.samples` writes models/testdata: tiny untrained policies for tests.

They pass through the export that trained ones pass through, so that tests of what runs policies see real graphs.
`not-a-number` answers NaN from its first decision on.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import onnx
import torch
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.vec_env import DummyVecEnv

from models.evaluation.vectors import as_text, vectors
from models.policies.card import Card, Training
from models.recipes.nuwa_rl import NUWA_RL
from models.recipes.recipe import Recipe
from models.training.algorithms import make_model
from models.training.environment import CongestionEnv
from models.training.export import OPSET, export, recurrent_units

FOLDER = Path(__file__).parents[1] / "testdata"
UNITS = 8
SEED = 7
VECTORS = 100
SPREAD = 1.0  # of the last layer's weights: an untrained one is so even that its choice would hang on rounding

RECURRENT = replace(NUWA_RL, lstm_units=UNITS, hidden=(UNITS,))
FEED_FORWARD = replace(NUWA_RL, algorithm="ppo", lstm_units=None, hidden=(UNITS,), parameters={"n_steps": 256})
SAMPLES = {"recurrent": RECURRENT, "feed-forward": FEED_FORWARD, "not-a-number": FEED_FORWARD}


def main(folder: Path = FOLDER) -> int:
    """Write all of them."""
    for name, recipe in SAMPLES.items():
        model = _untrained(recipe)
        file = folder / f"{name}.onnx"
        export(model, recipe, file)
        if name == "not-a-number":
            _spoil(file)
        card = folder / f"{name}.json"
        card.write_text(sample_card(recipe, model, file).as_json() + "\n", encoding="utf-8")
        if name != "not-a-number":
            found = as_text(vectors(name, folder, VECTORS))
            (folder / f"{name}.vectors.json").write_text(found, encoding="utf-8")
        sys.stdout.write(f"{file}: {file.stat().st_size} bytes\n")
    return 0


def _untrained(recipe: Recipe) -> BaseAlgorithm:
    model = make_model(recipe, DummyVecEnv([lambda: CongestionEnv(recipe)]), seed=SEED)
    last = model.policy.action_net
    with torch.no_grad():
        last.weight.normal_(0.0, SPREAD, generator=torch.Generator().manual_seed(SEED))
    return model


def _spoil(file: Path) -> None:
    """Every weight becomes NaN, and so every answer."""
    proto = onnx.load(file)
    for weight in proto.graph.initializer:
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype.kind == "f":
            weight.CopyFrom(onnx.numpy_helper.from_array(values * float("nan"), weight.name))
    onnx.save_model(proto, file)


def sample_card(recipe: Recipe, model: BaseAlgorithm, file: Path) -> Card:
    """Of an untrained model that was exported there, under the file's name."""
    return Card(
        name=file.stem,
        scheme=recipe.name,
        source="none: made for tests",
        space=recipe.space,
        sha256=sha256(file.read_bytes()).hexdigest(),
        opset=OPSET,
        recurrent_units=recurrent_units(model),
        training=Training(
            command="python -m models.training.samples",
            algorithm=recipe.algorithm,
            steps=0,
            seed=SEED,
            commit="none",
            versions={},
            parameters={},
            reward="none",
            scenarios={},
            splits_sha256="",
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
