"""Policies by name for simulated flows: those of a folder first, else those that are shipped."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cc.core.decision import Decide

if TYPE_CHECKING:
    from models.policies.policy import Policy


def find_policy(name: str, folder: Path | None = None) -> Decide:
    """A runner for one flow. Raises PolicyError."""
    return load(name, folder).runner().decide


@cache
def load(name: str, folder: Path | None = None) -> Policy:
    """Once for all flows, from the folder if it is there, else as it is shipped. Raises PolicyError."""
    from models.policies.policy import load_policy  # noqa: PLC0415 - runs without a learned scheme need no onnxruntime

    if folder is not None and (folder / f"{name}.json").is_file():
        return load_policy(name, folder)
    return load_policy(name)
