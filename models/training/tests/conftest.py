"""What all tests of the training take for given."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from torch.onnx._internal.exporter._registration import ONNXRegistry

from models.training import job


@pytest.fixture(autouse=True)
def all_traces_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the recorded ones the command says so first, and what it says is compared."""
    monkeypatch.setattr(job, "traces_left_out", lambda _recipe: ())


@pytest.fixture(scope="session", autouse=True)
def _operators_are_read_once() -> Iterator[None]:
    """PyTorch's exporter parses the sources of some 500 operators for each model, which is a third of an export."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ONNXRegistry, "from_torchlib", staticmethod(cache(ONNXRegistry.from_torchlib)))
        yield


@pytest.fixture(autouse=True)
def logs_are_kept_with_the_test(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Stable-Baselines3 makes a folder for each training that names none, and leaves it among the system's own."""
    monkeypatch.setenv("SB3_LOGDIR", str(tmp_path / "sb3"))
