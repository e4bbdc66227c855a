"""What serves and what evaluates needs onnxruntime, and nothing that trains."""

from __future__ import annotations

import subprocess
import sys

TRAINING_PACKAGES = ("torch", "gymnasium", "stable_baselines3", "sb3_contrib", "onnx", "tqdm")


MODULES = (
    "models.command",
    "models.simulation.command",
    "models.recipes",
    "models.evaluation.comparison",
    "models.evaluation.evaluate",
    "models.evaluation.fairness",
    "models.evaluation.table",
    "models.training.arena_table",
    "models.training.fixed_k",
    "models.evaluation.vectors",
)
"""What models/README.md and models/training/README.md run with .venv."""


def test_they_can_be_imported_without_the_training_packages() -> None:
    absent = f"import sys; sys.modules.update(dict.fromkeys({TRAINING_PACKAGES}))"
    child = [sys.executable, "-c", f"{absent}; import {', '.join(MODULES)}"]
    done = subprocess.run(child, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
