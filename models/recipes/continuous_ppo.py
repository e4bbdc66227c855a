"""What recipes share that learn an amount by PPO, from eight environments side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PPO: Mapping[str, Any] = {
    "n_steps": 256,
    "batch_size": 512,
    "n_epochs": 8,
    "gamma": 0.99,
    "gae_lambda": 0.95,
    "clip_range": 0.2,
    "ent_coef": 0.0,
}
